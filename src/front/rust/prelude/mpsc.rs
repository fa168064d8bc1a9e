//! `std::sync::mpsc`
//!
//! A queue under a lock. What is promised is kept: messages arrive once and in order, receiving one happens after sending
//! it, and the ends of all senders, or of the receiver, are noticed. The queue of `std` has no lock, but a locked instruction
//! or a full fence wherever a message is put in or looked for, as this one has by its lock. Only sending to a receiver that has
//! ended has none there: it is noticed by a load.

use super::super::collections::VecDeque;
use super::super::iter::{IntoIterator, Iterator};
use super::super::option::{None, Option, Some};
use super::super::result::{Err, Ok, Result};
use super::super::time::Duration;
use core::mem;
use core::sync::atomic::{AtomicBool, Ordering};
use core::sync::{Condvar, Mutex};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SendError<T>(pub T);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecvError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TryRecvError {
    Empty,
    Disconnected,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecvTimeoutError {
    Timeout,
    Disconnected,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrySendError<T> {
    Full(T),
    Disconnected(T),
}

struct State<T> {
    queue: VecDeque<T>,
    senders: usize,
    is_received: bool,
    // Receivers that wait, and messages that were sent and taken.
    waiting: usize,
    sent: usize,
    taken: usize,
}

struct Channel<T> {
    state: Mutex<State<T>>,
    has_ended: AtomicBool,
    filled: Condvar,
    emptied: Condvar,
    bound: usize,
}

impl<T> Channel<T> {
    fn new(bound: usize) -> &Channel<T> {
        Box::leak(Box::new(Channel {
            state: Mutex::new(State {
                queue: VecDeque::new(),
                senders: 1,
                is_received: true,
                waiting: 0,
                sent: 0,
                taken: 0,
            }),
            has_ended: AtomicBool::new(false),
            filled: Condvar::new(),
            emptied: Condvar::new(),
            bound,
        }))
    }

    fn add_sender(&self) {
        self.state.lock().unwrap().senders += 1;
    }

    fn remove_sender(&self) {
        let mut state = self.state.lock().unwrap();
        state.senders -= 1;
        if state.senders == 0 {
            self.filled.notify_all();
        }
    }
}

pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let channel = Channel::new(usize::MAX);
    (Sender { channel }, Receiver { channel })
}

pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    let channel = Channel::new(bound);
    (SyncSender { channel }, Receiver { channel })
}

pub struct Sender<T> {
    channel: &Channel<T>,
}

impl<T> Sender<T> {
    pub fn send(&self, value: T) -> Result<(), SendError<T>> {
        if self.channel.has_ended.load(Ordering::Acquire) {
            return Err(SendError(value));
        }
        let mut state = self.channel.state.lock().unwrap();
        if !state.is_received {
            return Err(SendError(value));
        }
        state.queue.push_back(value);
        self.channel.filled.notify_one();
        Ok(())
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Sender<T> {
        self.channel.add_sender();
        Sender {
            channel: self.channel,
        }
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        self.channel.remove_sender();
    }
}

pub struct SyncSender<T> {
    channel: &Channel<T>,
}

impl<T> SyncSender<T> {
    pub fn send(&self, value: T) -> Result<(), SendError<T>> {
        let channel = self.channel;
        if channel.has_ended.load(Ordering::Acquire) {
            return Err(SendError(value));
        }
        let mut state = channel.state.lock().unwrap();
        loop {
            if !state.is_received {
                return Err(SendError(value));
            }
            // A channel without room has room for the message that a receiver comes for.
            let room = if channel.bound == 0 { 1 } else { channel.bound };
            if state.queue.len() < room {
                break;
            }
            state = channel.emptied.wait(state).unwrap();
        }
        let own = state.sent;
        state.sent = own.wrapping_add(1);
        state.queue.push_back(value);
        channel.filled.notify_one();
        if channel.bound == 0 {
            // The receiver takes it, or ends and leaves it.
            while state.taken == own {
                if !state.is_received {
                    return match state.queue.pop_front() {
                        Some(value) => Err(SendError(value)),
                        None => Ok(()),
                    };
                }
                state = channel.emptied.wait(state).unwrap();
            }
        }
        Ok(())
    }

    pub fn try_send(&self, value: T) -> Result<(), TrySendError<T>> {
        let channel = self.channel;
        if channel.has_ended.load(Ordering::Acquire) {
            return Err(TrySendError::Disconnected(value));
        }
        let mut state = channel.state.lock().unwrap();
        if !state.is_received {
            return Err(TrySendError::Disconnected(value));
        }
        let room = if channel.bound == 0 {
            state.waiting
        } else {
            channel.bound
        };
        if state.queue.len() >= room {
            return Err(TrySendError::Full(value));
        }
        state.sent = state.sent.wrapping_add(1);
        state.queue.push_back(value);
        channel.filled.notify_one();
        Ok(())
    }
}

impl<T> Clone for SyncSender<T> {
    fn clone(&self) -> SyncSender<T> {
        self.channel.add_sender();
        SyncSender {
            channel: self.channel,
        }
    }
}

impl<T> Drop for SyncSender<T> {
    fn drop(&mut self) {
        self.channel.remove_sender();
    }
}

pub struct Receiver<T> {
    channel: &Channel<T>,
}

impl<T> Receiver<T> {
    pub fn recv(&self) -> Result<T, RecvError> {
        let channel = self.channel;
        let mut state = channel.state.lock().unwrap();
        loop {
            if let Some(value) = state.queue.pop_front() {
                state.taken = state.taken.wrapping_add(1);
                if channel.bound != usize::MAX {
                    channel.emptied.notify_all();
                }
                return Ok(value);
            }
            if state.senders == 0 {
                return Err(RecvError);
            }
            state.waiting += 1;
            state = channel.filled.wait(state).unwrap();
            state.waiting -= 1;
        }
    }

    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        let channel = self.channel;
        let mut state = channel.state.lock().unwrap();
        if let Some(value) = state.queue.pop_front() {
            state.taken = state.taken.wrapping_add(1);
            if channel.bound != usize::MAX {
                channel.emptied.notify_all();
            }
            return Ok(value);
        }
        if state.senders == 0 {
            return Err(TryRecvError::Disconnected);
        }
        Err(TryRecvError::Empty)
    }

    // Time is over at the latest when a wait ends with that.
    pub fn recv_timeout(&self, time: Duration) -> Result<T, RecvTimeoutError> {
        let channel = self.channel;
        let mut state = channel.state.lock().unwrap();
        loop {
            if let Some(value) = state.queue.pop_front() {
                state.taken = state.taken.wrapping_add(1);
                if channel.bound != usize::MAX {
                    channel.emptied.notify_all();
                }
                return Ok(value);
            }
            if state.senders == 0 {
                return Err(RecvTimeoutError::Disconnected);
            }
            state.waiting += 1;
            let (again, ended) = channel.filled.wait_timeout(state, time).unwrap();
            state = again;
            state.waiting -= 1;
            // A sender that waits for this receiver has found it.
            if ended.timed_out() && (channel.bound != 0 || state.queue.is_empty()) {
                return Err(RecvTimeoutError::Timeout);
            }
        }
    }

    pub fn iter(&self) -> Iter<T> {
        Iter { receiver: self }
    }

    pub fn try_iter(&self) -> TryIter<T> {
        TryIter { receiver: self }
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        let channel = self.channel;
        let mut state = channel.state.lock().unwrap();
        state.is_received = false;
        channel.has_ended.store(true, Ordering::Release);
        // What is left may hold a sender of this channel.
        let left = if channel.bound == 0 {
            VecDeque::new()
        } else {
            mem::replace(&mut state.queue, VecDeque::new())
        };
        channel.emptied.notify_all();
        drop(state);
        drop(left);
    }
}

pub struct Iter<T> {
    receiver: &Receiver<T>,
}

impl<T> Iterator for Iter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.receiver.recv().ok()
    }
}

pub struct TryIter<T> {
    receiver: &Receiver<T>,
}

impl<T> Iterator for TryIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.receiver.try_recv().ok()
    }
}

pub struct IntoIter<T> {
    receiver: Receiver<T>,
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.receiver.recv().ok()
    }
}

impl<T> IntoIterator for Receiver<T> {
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        IntoIter { receiver: self }
    }
}

impl<T> IntoIterator for &Receiver<T> {
    type IntoIter = Iter<T>;

    fn into_iter(self) -> Iter<T> {
        self.iter()
    }
}
