//: about a channel for one message that is said to be ready before the message is there
//: check sc violated
//: check tso violated
//: check pso violated
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::*};
use std::thread;

static ENDS: AtomicU32 = AtomicU32::new(0);

struct Message(u32);

impl Drop for Message {
    fn drop(&mut self) {
        ENDS.fetch_add(1, Relaxed);
    }
}

struct Channel<T> {
    message: UnsafeCell<MaybeUninit<T>>,
    ready: AtomicBool,
}

unsafe impl<T> Sync for Channel<T> {}

struct Sender<T> {
    channel: Arc<Channel<T>>,
}

struct Receiver<T> {
    channel: Arc<Channel<T>>,
}

fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let channel = Arc::new(Channel {
        message: UnsafeCell::new(MaybeUninit::uninit()),
        ready: AtomicBool::new(false),
    });
    (Sender { channel: channel.clone() }, Receiver { channel })
}

impl<T> Sender<T> {
    fn send(self, message: T) {
        self.channel.ready.store(true, Release);
        unsafe { (*self.channel.message.get()).write(message) };
    }
}

impl<T> Receiver<T> {
    fn receive(self) -> Option<T> {
        if self.channel.ready.swap(false, Acquire) {
            Some(unsafe { (*self.channel.message.get()).assume_init_read() })
        } else {
            None
        }
    }
}

impl<T> Drop for Channel<T> {
    fn drop(&mut self) {
        if *self.ready.get_mut() {
            unsafe { self.message.get_mut().assume_init_drop() }
        }
    }
}

#[test]
fn each_message_ends_once() {
    let (sender, receiver) = channel();
    let thread = thread::spawn(move || sender.send(Message(3)));
    if let Some(message) = receiver.receive() {
        assert_eq!(message.0, 3);
    }
    thread.join().unwrap();
    assert_eq!(ENDS.load(Relaxed), 1);
}

// race: `channel.1.message.value.0` (lines 47 and 54)
