#pragma once
/* Messages, which are not modelled: nothing here is a fence. */
#include <linux/compiler.h>
#include <linux/init.h>
#define KERN_EMERG ""
#define KERN_ALERT ""
#define KERN_CRIT ""
#define KERN_ERR ""
#define KERN_WARNING ""
#define KERN_NOTICE ""
#define KERN_INFO ""
#define KERN_DEBUG ""
#define KERN_CONT ""
#define printk(...) printf(__VA_ARGS__)
#define printk_once(...) printf(__VA_ARGS__)
#define printk_ratelimited(...) printf(__VA_ARGS__)
#define printk_deferred(...) printf(__VA_ARGS__)
#define no_printk(...) printf(__VA_ARGS__)
#define trace_printk(...) printf(__VA_ARGS__)
#define pr_emerg(...) printf(__VA_ARGS__)
#define pr_alert(...) printf(__VA_ARGS__)
#define pr_crit(...) printf(__VA_ARGS__)
#define pr_err(...) printf(__VA_ARGS__)
#define pr_warn(...) printf(__VA_ARGS__)
#define pr_warning(...) printf(__VA_ARGS__)
#define pr_notice(...) printf(__VA_ARGS__)
#define pr_info(...) printf(__VA_ARGS__)
#define pr_debug(...) printf(__VA_ARGS__)
#define pr_devel(...) printf(__VA_ARGS__)
#define pr_cont(...) printf(__VA_ARGS__)
#define pr_err_once(...) printf(__VA_ARGS__)
#define pr_warn_once(...) printf(__VA_ARGS__)
#define pr_notice_once(...) printf(__VA_ARGS__)
#define pr_info_once(...) printf(__VA_ARGS__)
#define pr_debug_once(...) printf(__VA_ARGS__)
#define pr_err_ratelimited(...) printf(__VA_ARGS__)
#define pr_warn_ratelimited(...) printf(__VA_ARGS__)
#define pr_notice_ratelimited(...) printf(__VA_ARGS__)
#define pr_info_ratelimited(...) printf(__VA_ARGS__)
#define pr_debug_ratelimited(...) printf(__VA_ARGS__)
#define dump_stack() ((void)0)
