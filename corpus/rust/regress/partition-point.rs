//: about the point is where a search by halves ends, also in a slice that is not in that order
//: check sc holds
#[test]
fn t() {
    let v = [5u32, 2];
    assert_eq!(v.partition_point(|x| *x < 5), 2);
    let w: [u32; 0] = [];
    assert_eq!(w.partition_point(|x| *x < 5), 0);
    assert_eq!([1u32,2,3].partition_point(|x| *x < 2), 1);
}
