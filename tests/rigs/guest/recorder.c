// SPDX-License-Identifier: GPL-2.0-only
/*
 * An SPI controller that records MOSI: makes /dev/spidev0.0.
 *
 * debugfs boardctl_spi/:
 *   mosi        every transfer since the last reset: u32 length, u32 hertz (host order), bytes
 *   transfers   their number since boot
 *   broken      1: every transfer fails with -EIO
 *   reset       write anything to delete the recording
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/spi/spi.h>
#include <linux/version.h>
#include <linux/vmalloc.h>

#define ROOM (4 << 20)

static u8 *tape;
static struct debugfs_blob_wrapper mosi;
static u32 transfers;
static bool broken;
static struct platform_device *device;
static struct spi_controller *controller;
static struct dentry *folder;

static int transfer(struct spi_controller *c, struct spi_device *s, struct spi_transfer *t)
{
	u32 head[2] = { t->len, t->speed_hz };

	if (broken)
		return -EIO;
	transfers++;
	if (t->rx_buf)
		memset(t->rx_buf, 0, t->len);
	if (t->tx_buf && mosi.size + sizeof(head) + t->len <= ROOM) {
		memcpy(tape + mosi.size, head, sizeof(head));
		memcpy(tape + mosi.size + sizeof(head), t->tx_buf, t->len);
		mosi.size += sizeof(head) + t->len;
	}
	return 0;
}

static int reset_set(void *unused, u64 value)
{
	mosi.size = 0;
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(reset_file, NULL, reset_set, "%llu\n");

/* A name that spidev binds to; which device it belongs to does not matter here. */
static struct spi_board_info strip = {
	.modalias = "dh2228fv",
	.max_speed_hz = 125000000,
	.mode = SPI_MODE_0,
};

static int __init recorder_init(void)
{
	int error;

	tape = vmalloc(ROOM);
	if (!tape)
		return -ENOMEM;
	mosi.data = tape;
	device = platform_device_register_simple("boardctl-spi", -1, NULL, 0);
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
	controller = spi_alloc_host(&device->dev, 0);
#else
	controller = spi_alloc_master(&device->dev, 0);
#endif
	controller->bus_num = 0;
	controller->num_chipselect = 1;
	controller->mode_bits = SPI_CPOL | SPI_CPHA | SPI_CS_HIGH | SPI_NO_CS | SPI_LSB_FIRST;
	controller->bits_per_word_mask = SPI_BPW_MASK(8);
	controller->transfer_one = transfer;
	error = spi_register_controller(controller);
	if (error || !spi_new_device(controller, &strip)) {
		pr_err("boardctl-spi: no device (%d)\n", error);
		return error ? error : -ENODEV;
	}
	folder = debugfs_create_dir("boardctl_spi", NULL);
	debugfs_create_blob("mosi", 0444, folder, &mosi);
	debugfs_create_u32("transfers", 0444, folder, &transfers);
	debugfs_create_bool("broken", 0644, folder, &broken);
	debugfs_create_file_unsafe("reset", 0200, folder, NULL, &reset_file);
	return 0;
}

static void __exit recorder_exit(void)
{
	debugfs_remove(folder);
	spi_unregister_controller(controller);
	platform_device_unregister(device);
	vfree(tape);
}

module_init(recorder_init);
module_exit(recorder_exit);
MODULE_DESCRIPTION("An SPI controller that records what it sends");
MODULE_LICENSE("GPL");
