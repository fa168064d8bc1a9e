//! Inline assembly: what is read, and the message for what is not.

use super::{accepted, errors};

/// The statement in a function with variables of several types.
fn unit(statement: &str) -> String {
    format!(
        "int x; long l; char c; _Bool flag; int *p; void *v; unsigned long bits[2]; struct s {{ int a; }} s;\n\
         void f(int n) {{ {statement} }}\n"
    )
}

#[test]
fn templates_and_constraints_of_real_projects_are_read() {
    for statement in [
        "asm volatile(\"xchgl %0,%1\" : \"=r\"(n), \"+m\"(x) : \"0\"(n) : \"memory\");",
        "asm volatile(\"xchg %0,%1\" : \"+r\"(n), \"+m\"(*p));",
        "asm volatile(\"lock ; cmpxchgl %[new],%[at]; sete %b[c]\" : [c] \"=q\"(c), [at] \"+m\"(x), \"+a\"(n) : [new] \"r\"(1));",
        "asm volatile(\"lock; cmpxchgl %2,%1\" : \"=a\"(n), \"+m\"(x) : \"r\"(1), \"0\"(n) : \"cc\");",
        "asm volatile(\"lock; cmpxchgl %3,%1\" : \"=@ccz\"(flag), \"+m\"(x), \"+a\"(n) : \"er\"(n));",
        "asm volatile(\"lock xaddq %q0,%1\" : \"+r\"(l), \"+m\"(bits[n]));",
        "asm volatile(\"lock; addl %1,%0\" : \"=m\"(x) : \"ir\"(n), \"m\"(x));",
        "asm volatile(\"lock; orb %b1,%0\" : \"+m\"(c) : \"iq\"(0x10));",
        "asm volatile(\"lock; btsq %2,%1; sbbl %0,%0\" : \"=r\"(n), \"+m\"(*bits) : \"Ir\"(l));",
        "asm volatile(\"lock; incl (%0)\" :: \"r\"(p) : \"memory\");",
        "asm volatile(\"movl $1,%%eax; xchgl %%eax,%0\" : \"+m\"(x) : : \"eax\");",
        "asm volatile(\"movq %1,%0; mfence\" : \"=m\"(v) : \"r\"(p));",
        "asm volatile(\"rdtsc\" : \"=a\"(n), \"=d\"(x));",
        "asm volatile(\"cpuid\" : \"=a\"(n) : \"0\"(0) : \"ebx\", \"ecx\", \"edx\", \"memory\");",
        "asm volatile(\"\" : \"+r\"(n) : \"g\"(x), \"m\"(s), \"m\"(bits), \"X\"(c));",
        "asm(\"\" : \"=r\"(n) : \"0\"(n));",
        "asm volatile(\"xorl %0,%0; lock; decl %1; setz %b0\" : \"=&q\"(n), \"+m\"(x));",
        "asm volatile(\"lock; negl %0; setc %1\" : \"+m\"(x), \"=q\"(c));",
    ] {
        accepted(&unit(statement));
    }
}

#[test]
fn what_cannot_be_modelled_is_refused() {
    for (statement, message) in [
        (
            "asm volatile(\"outb %0,$128\" :: \"a\"(n));",
            "unknown inline assembly `outb %0,$128`",
        ),
        (
            "asm volatile(\"bswap %0\" : \"+r\"(n));",
            "unknown inline assembly `bswap %0`",
        ),
        (
            "asm goto(\"jmp %l0\" :::: here); here: ;",
            "`asm goto` is not supported",
        ),
        (
            "asm volatile(\"nop\" : \"=x\"(n));",
            "the constraint `=x` of inline assembly is not supported",
        ),
        (
            "asm volatile(\"incl %0\" :: \"r\"(n));",
            "`incl %0` writes an operand that is only an input",
        ),
        (
            "asm volatile(\"lock; cmpxchgl %1,%0\" : \"+m\"(x) : \"r\"(n), \"a\"(1));",
            "`cmpxchgl %1,%0` writes an operand that is only an input",
        ),
        (
            "asm volatile(\"lock; cmpxchgl %1,%0\" : \"+m\"(x) : \"r\"(n));",
            "an instruction uses a register that is no operand and no clobber",
        ),
        (
            "asm volatile(\"movl $1,%%eax\");",
            "unknown inline assembly `movl $1,%%eax`",
        ),
        (
            "asm volatile(\"movl $1,%%eax\" :);",
            "an instruction uses a register that is no operand and no clobber",
        ),
        (
            "asm volatile(\"movl %2,%0; addl %1,%0\" : \"=r\"(n) : \"r\"(x), \"r\"(n));",
            "`addl %1,%0` reads an operand after an output was written that may be in the same register",
        ),
        (
            "asm volatile(\"movl $0,%0; lock; incl %1\" : \"=r\"(n), \"+m\"(x));",
            "`incl %1` reads an operand after an output was written that may be in the same register",
        ),
        (
            "asm volatile(\"lock; movl %1,%0\" : \"=m\"(x) : \"r\"(n));",
            "`movl %1,%0` cannot be locked",
        ),
        (
            "asm volatile(\"lock; incl %0\" : \"+r\"(n));",
            "`incl %0` locks no memory",
        ),
        (
            "asm volatile(\"inc %0\" : \"+m\"(x));",
            "how many bits `inc %0` accesses is not clear",
        ),
        (
            "asm volatile(\"xchgl %0,%1\" : \"+r\"(l), \"+m\"(x));",
            "`xchgl %0,%1` accesses 32 bits, and its register has 64",
        ),
        (
            "asm volatile(\"sete %b0\" : \"=q\"(n));",
            "`sete %b0` depends on a flag that no instruction before has set",
        ),
        (
            "asm volatile(\"lock; decl %1; sete %b0\" : \"=q\"(n), \"+m\"(x));",
            "`sete %b0` writes 8 bits of an operand of 32 that has no value",
        ),
        (
            "asm volatile(\"lock; btsl %1,%0; sets %b2\" : \"+m\"(x) : \"r\"(n), \"q\"(c));",
            "`sets %b2` depends on a flag that no instruction before has set",
        ),
        (
            "asm volatile(\"incl %2\" : \"+m\"(x));",
            "this inline assembly has no operand `%2`",
        ),
        (
            "asm volatile(\"incl %[y]\" : \"+m\"(x));",
            "this inline assembly has no operand `%[y]`",
        ),
        (
            "asm volatile(\"lock; addq $8,%0\" : \"+m\"(p));",
            "`addq $8,%0` computes with a pointer or a `_Bool`",
        ),
        (
            "asm volatile(\"xchgb %0,%1\" : \"+q\"(c), \"+m\"(flag));",
            "inline assembly may write a number to a `_Bool` that is neither 0 nor 1",
        ),
        (
            "asm volatile(\"\" : \"+rm\"(x));",
            "whether this output is in memory or in a register is up to the compiler",
        ),
        (
            "asm volatile(\"movl %1,%0\" : \"=m\"(x) : \"m\"(n));",
            "`movl %1,%0` has two operands in memory",
        ),
        (
            "asm volatile(\"lock; btsl %1,%0\" : \"+m\"(x) : \"i\"(40));",
            "`btsl %1,%0` is about a bit of another word",
        ),
        (
            "asm volatile(\"addl $1,(%%rsp)\" :);",
            "`addl $1,(%%rsp)` changes the stack",
        ),
        (
            "asm volatile(\"lock; addl $1,(%%rsp)\" :);",
            "`addl $1,(%%rsp)` changes the stack",
        ),
        (
            "asm volatile(\"\" : \"=a\"(n), \"=a\"(x));",
            "two outputs of inline assembly are in one register",
        ),
        (
            "asm volatile(\"\" : \"+a\"(n) : \"a\"(x));",
            "two inputs of inline assembly are in one register",
        ),
        (
            "asm volatile(\"\" : \"=r\"(l) : \"0\"(n));",
            "this input has 32 bits, and the output in the same register 64",
        ),
        (
            "asm volatile(\"\" :: \"0\"(n));",
            "`0` is no output in a register",
        ),
        (
            "asm volatile(\"nop\" : \"=r\"(n + 1));",
            "an output of inline assembly must be an object",
        ),
        (
            "asm volatile(\"nop\" :: \"r\"(s));",
            "an operand of inline assembly in a register cannot be `struct s`",
        ),
        (
            "asm volatile(\"incl (%0)\" :: \"r\"(l));",
            "`incl (%0)` follows an operand that is not a pointer",
        ),
        (
            "asm volatile(\"nop\" : \"=i\"(n));",
            "an output of inline assembly cannot be a constant",
        ),
    ] {
        let found = errors(&unit(statement));
        let messages: Vec<&str> = found.iter().map(|(_, message)| message.as_str()).collect();
        assert_eq!(messages, [message], "{statement}");
    }
}

#[test]
fn any_text_as_a_template_is_read_or_refused() {
    let pieces = [
        "lock", ";", " ", "xchgl", "cmpxchgb", "%0", "%1", "%b2", ",", "$1", "(", ")", "%%eax",
        "btsl", "\\n", "sete", "%[a]", "movzbl", "sbbl", "decq", "negw", ":", "#", "rdtsc",
        "cpuid", "%", "(%2)", "é",
    ];
    // A fixed sequence of numbers that look random.
    let mut seed = 12_345_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    for _ in 0..2000 {
        let length = next(12);
        let template: String = (0..length).map(|_| pieces[next(pieces.len())]).collect();
        let statement = format!(
            "asm volatile(\"{template}\" : \"+m\"(x), [a] \"+a\"(n) : \"r\"(p), \"i\"(1) : \"memory\");"
        );
        super::read(&unit(&statement));
    }
}
