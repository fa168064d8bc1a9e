//: about Guards of the kernel release where their block is left: by return, by break, at the end of a statement
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/kthread.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct account {
	int balance;
	int changes;
};

static DEFINE_MUTEX(accounts_lock);
static DEFINE_SPINLOCK(log_lock);
static struct account account = { .balance = 3 };
static int logged;

static void note(int amount)
{
	scoped_guard(spinlock_irqsave, &log_lock) {
		if (amount > 2)
			break;
		logged++;
	}
}

static int withdraw(int amount)
{
	struct account *copy __free(kfree) = kmalloc(sizeof(*copy), GFP_KERNEL);

	guard(mutex)(&accounts_lock);
	*copy = account;
	if (copy->balance < amount)
		return -EINVAL;
	note(amount);
	copy->balance -= amount;
	copy->changes++;
	account = *copy;
	return 0;
}

static int customer(void *unused)
{
	return withdraw(2);
}

int main(void)
{
	struct task_struct *one = kthread_run(customer, NULL, "one");
	int second = withdraw(2);
	int first = kthread_stop(one);

	scoped_cond_guard(mutex_try, BUG(), &accounts_lock)
		BUG_ON(account.balance != 1 || account.changes != 1 || logged != 1);
	(void)first;
	(void)second;
	return 0;
}
