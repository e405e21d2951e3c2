// SPDX-License-Identifier: GPL-2.0-only
/*
 * The GPIO header of a Pi with a key matrix soldered to it, as a gpiochip of the real kernel.
 *
 * Lines are electrical: closed keys join them into nets; a net is low where an output drives it
 * low, else high where one drives it high, else where its pulls take it. Two outputs that drive
 * one net apart are a short circuit and counted. Edges fire real interrupts.
 *
 * debugfs boardctl_header/:
 *   key      write "ROW COLUMN 0|1" to open or close a key
 *   shorts   how often two outputs drove a net to different levels
 *   edges    how many interrupts have fired
 *   state    three lines with one character per GPIO: level 0/1, direction i/o, pull -/u/d
 */
#include <linux/debugfs.h>
#include <linux/gpio/driver.h>
#include <linux/interrupt.h>
#include <linux/irqdomain.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>
#include <linux/version.h>

#define LINES 54
#define MOST 8

static int rows[MOST] = { 5, 6, 13, 19 }, columns[MOST] = { 12, 16, 20, 21 };
static int row_count = 4, column_count = 4;
module_param_array(rows, int, &row_count, 0444);
module_param_array(columns, int, &column_count, 0444);

enum pull { PULL_NONE, PULL_UP, PULL_DOWN };

static struct line {
	bool output, driven, level;
	enum pull pull;
	unsigned int trigger;
	int net;
} lines[LINES];
static bool closed[MOST][MOST];
static u32 shorts, edges;
static u64 unmasked;
static DEFINE_SPINLOCK(lock);
static struct gpio_chip chip;
static struct platform_device *device;
static struct dentry *folder;

static int root(int line)
{
	while (lines[line].net != line)
		line = lines[line].net;
	return line;
}

static void join_nets(void)
{
	int n, row, column;

	for (n = 0; n < LINES; n++)
		lines[n].net = n;
	for (row = 0; row < row_count; row++)
		for (column = 0; column < column_count; column++)
			if (closed[row][column])
				lines[root(rows[row])].net = root(columns[column]);
}

/* Compute all levels; returns the changed lines as bits. Called with the lock held. */
static u64 settle(void)
{
	bool low[LINES] = {}, high[LINES] = {}, up[LINES] = {}, down[LINES] = {};
	u64 changed = 0;
	int n;

	join_nets();
	for (n = 0; n < LINES; n++) {
		int net = root(n);

		if (lines[n].output && lines[n].driven)
			high[net] = true;
		else if (lines[n].output)
			low[net] = true;
		else if (lines[n].pull == PULL_UP)
			up[net] = true;
		else if (lines[n].pull == PULL_DOWN)
			down[net] = true;
	}
	for (n = 0; n < LINES; n++) {
		int net = root(n);
		bool level = low[net] ? false : high[net] ? true : up[net] && !down[net];

		if (net == n && low[n] && high[n])
			shorts++;
		if (level != lines[n].level)
			changed |= 1ull << n;
		lines[n].level = level;
	}
	return changed;
}

static void fire(u64 changed)
{
	unsigned long flags;
	int n;

	for (n = 0; n < LINES; n++) {
		unsigned int edge = lines[n].level ? IRQ_TYPE_EDGE_RISING : IRQ_TYPE_EDGE_FALLING;

		if (!(changed & unmasked & 1ull << n) || !(lines[n].trigger & edge))
			continue;
		edges++;
		local_irq_save(flags);
		generic_handle_domain_irq(chip.irq.domain, n);
		local_irq_restore(flags);
	}
}

#define CHANGE(statement)                                  \
	do {                                               \
		unsigned long saved;                       \
		u64 moved;                                 \
		spin_lock_irqsave(&lock, saved);           \
		statement;                                 \
		moved = settle();                          \
		spin_unlock_irqrestore(&lock, saved);      \
		fire(moved);                               \
	} while (0)

static int header_get(struct gpio_chip *c, unsigned int n)
{
	return lines[n].level;
}

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
static int header_set(struct gpio_chip *c, unsigned int n, int value)
{
	CHANGE(lines[n].driven = value);
	return 0;
}
#else
static void header_set(struct gpio_chip *c, unsigned int n, int value)
{
	CHANGE(lines[n].driven = value);
}
#endif

static int header_output(struct gpio_chip *c, unsigned int n, int value)
{
	CHANGE(lines[n].driven = value; lines[n].output = true);
	return 0;
}

static int header_input(struct gpio_chip *c, unsigned int n)
{
	CHANGE(lines[n].output = false);
	return 0;
}

static int header_direction(struct gpio_chip *c, unsigned int n)
{
	return lines[n].output ? GPIO_LINE_DIRECTION_OUT : GPIO_LINE_DIRECTION_IN;
}

static int header_config(struct gpio_chip *c, unsigned int n, unsigned long config)
{
	switch (pinconf_to_config_param(config)) {
	case PIN_CONFIG_BIAS_PULL_UP:
		CHANGE(lines[n].pull = PULL_UP);
		return 0;
	case PIN_CONFIG_BIAS_PULL_DOWN:
		CHANGE(lines[n].pull = PULL_DOWN);
		return 0;
	case PIN_CONFIG_BIAS_DISABLE:
		CHANGE(lines[n].pull = PULL_NONE);
		return 0;
	default:
		return -ENOTSUPP;
	}
}

static void irq_off(struct irq_data *data)
{
	unmasked &= ~(1ull << irqd_to_hwirq(data));
	gpiochip_disable_irq(&chip, irqd_to_hwirq(data));
}

static void irq_on(struct irq_data *data)
{
	gpiochip_enable_irq(&chip, irqd_to_hwirq(data));
	unmasked |= 1ull << irqd_to_hwirq(data);
}

static int irq_type(struct irq_data *data, unsigned int type)
{
	if (type & ~IRQ_TYPE_EDGE_BOTH)
		return -EINVAL;
	lines[irqd_to_hwirq(data)].trigger = type;
	return 0;
}

static const struct irq_chip irqs = {
	.name = "boardctl-header",
	.irq_mask = irq_off,
	.irq_unmask = irq_on,
	.irq_set_type = irq_type,
	.flags = IRQCHIP_IMMUTABLE,
	GPIOCHIP_IRQ_RESOURCE_HELPERS,
};

static ssize_t key_write(struct file *file, const char __user *from, size_t count, loff_t *at)
{
	char text[16] = {};
	unsigned int row, column, down;

	if (count >= sizeof(text) || copy_from_user(text, from, count))
		return -EINVAL;
	if (sscanf(text, "%u %u %u", &row, &column, &down) != 3 || row >= row_count ||
	    column >= column_count || down > 1)
		return -EINVAL;
	CHANGE(closed[row][column] = down);
	return count;
}

static const struct file_operations key_file = { .owner = THIS_MODULE, .write = key_write };

static int state_show(struct seq_file *out, void *unused)
{
	int n;

	for (n = 0; n < LINES; n++)
		seq_putc(out, lines[n].level ? '1' : '0');
	seq_putc(out, '\n');
	for (n = 0; n < LINES; n++)
		seq_putc(out, lines[n].output ? 'o' : 'i');
	seq_putc(out, '\n');
	for (n = 0; n < LINES; n++)
		seq_putc(out, "-ud"[lines[n].pull]);
	seq_putc(out, '\n');
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(state);

static int __init header_init(void)
{
	int error;

	device = platform_device_register_simple("boardctl-header", -1, NULL, 0);
	if (IS_ERR(device))
		return PTR_ERR(device);
	chip = (struct gpio_chip){
		.label = "pinctrl-bcm2711",
		.parent = &device->dev,
		.owner = THIS_MODULE,
		.base = -1,
		.ngpio = LINES,
		.get = header_get,
		.set = header_set,
		.direction_output = header_output,
		.direction_input = header_input,
		.get_direction = header_direction,
		.set_config = header_config,
	};
	gpio_irq_chip_set_chip(&chip.irq, &irqs);
	chip.irq.handler = handle_simple_irq;
	chip.irq.default_type = IRQ_TYPE_NONE;
	error = gpiochip_add_data(&chip, NULL);
	if (error) {
		platform_device_unregister(device);
		return error;
	}
	folder = debugfs_create_dir("boardctl_header", NULL);
	debugfs_create_file("key", 0200, folder, NULL, &key_file);
	debugfs_create_file("state", 0444, folder, NULL, &state_fops);
	debugfs_create_u32("shorts", 0444, folder, &shorts);
	debugfs_create_u32("edges", 0444, folder, &edges);
	return 0;
}

static void __exit header_exit(void)
{
	debugfs_remove(folder);
	gpiochip_remove(&chip);
	platform_device_unregister(device);
}

module_init(header_init);
module_exit(header_exit);
MODULE_DESCRIPTION("A simulated Raspberry Pi header with a key matrix");
MODULE_LICENSE("GPL");
