//: about iterators and adaptors over ranges, arrays, slices and vectors
//: check sc holds
struct Countdown(u32);

impl Iterator for Countdown {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        self.0 -= 1;
        Some(self.0)
    }
}

fn largest(of: &[u32]) -> Option<u32> {
    of.iter().copied().max()
}

fn main() {
    let a = [3u32, 1, 4, 1, 5];
    assert_eq!(a.iter().filter(|x| **x > 1).count(), 3);
    assert_eq!(a.iter().map(|x| x * 2).sum::<u32>(), 28);
    assert_eq!(a.iter().zip(a.iter().skip(1)).filter(|(x, y)| x < y).count(), 2);
    assert_eq!(a.iter().position(|x| *x == 4), Some(2));
    assert_eq!(largest(&a), Some(5));
    assert_eq!(largest(&a[..2]), Some(3));
    assert_eq!((1..=4).fold(1, |p, x| p * x), 24);
    assert_eq!((0..10).step_by(3).last(), Some(9));
    let squares: Vec<u32> = (0..4).rev().map(|x| x * x).collect();
    assert_eq!(squares[0], 9);
    let mut sum = 0;
    for (i, x) in squares.iter().enumerate() {
        sum += i as u32 * x;
    }
    assert_eq!(sum, 6);
    assert_eq!(Countdown(4).map(|x| x + 1).sum::<u32>(), 10);
    let mut seen = 0;
    for x in Countdown(3) {
        seen = seen * 10 + x;
    }
    assert_eq!(seen, 210);
}
