//: about loops over elements that a guard or a borrow leads to, which lasts as long as the loop
//: check sc holds
//: check tso holds
use std::cell::RefCell;
use std::sync::Mutex;
use std::thread;

static ALL: Mutex<[u32; 2]> = Mutex::new([1, 2]);

fn main() {
    let t = thread::spawn(|| {
        let mut all = ALL.lock().unwrap();
        all[0] = 5;
        all[1] = 6;
    });
    let mut sum = 0;
    for one in ALL.lock().unwrap().iter() {
        sum += one;
    }
    assert!(sum == 3 || sum == 11);
    t.join().unwrap();
    let list = RefCell::new(vec![3, 4]);
    for one in list.borrow().iter() {
        assert!(list.try_borrow_mut().is_err());
        sum += one;
    }
    assert!(list.try_borrow_mut().is_ok());
    assert!(sum == 10 || sum == 18);
}
