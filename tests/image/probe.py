"""Run inside the guest: examine the service and print the findings, one per line.

`probe.py STEP …`: each step prints `PROBE name value`. The harness (guest.py) puts this file on the
card's data partition and systemd starts it; it is not part of the image.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import json
import mmap
import os
import re
import socket
import sqlite3
import stat
import struct
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

JOURNAL = Path("/var/lib/boardctl/journal.sqlite3")
TRACE = Path("/sys/kernel/tracing")
CODES = {"0": 82, "1": 79, "2": 80, "3": 81, "4": 75, "5": 76, "6": 77, "7": 71, "8": 72, "9": 73,
         "A": 98, "B": 55, "#": 96, "*": 83}  # fmt: skip
"""Key codes of a number pad (linux/input-event-codes.h)."""
MARK = 64
"""The sector for marks, between the partition table and the first partition."""
LINES = 150
"""The number of lines played."""
SETTLE = 150
"""Seconds before rest is measured: the start's own writes reach the card, and the board stops
looking for a network."""
CLONE_NEWNET = 0x40000000
"""The kind of namespace (setns(2))."""
WLED = 4048
"""The port of a WLED strip (DDP)."""
MINUTES = 5
"""The number of minutes of rest that are measured."""
DAY = 24
"""The number of hours of rest that are measured if the machine skips idle waiting."""


def say(name: str, value: object = "") -> None:
    print(f"PROBE {name} {value}", flush=True)


def ask(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def show(name: str) -> str:
    return ask("systemctl", "show", "boardctl", "--value", "-p", name)


def wait(name: str, seconds: float, come: Callable[[], bool], every: float = 0.5) -> None:
    end = time.monotonic() + seconds
    while not come():
        if time.monotonic() > end:
            say("late", name)
            return
        time.sleep(every)


def running() -> bool:
    return show("SubState") == "running"


def opens(path: str) -> str:
    """Return the result of opening a device in the service, checked from inside its control
    group."""
    code = (
        "import os\n"
        "try:\n"
        f"    os.close(os.open({path!r}, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK))\n"
        "    print('opens')\n"
        "except OSError as error:\n"
        "    print(error.strerror)"
    )
    group = "/sys/fs/cgroup/system.slice/boardctl.service/cgroup.procs"
    return ask("sh", "-c", f'echo $$ >{group}; exec python3 -c "$0"', code)


def start() -> None:
    """Report how the running service is confined, and the resources that everything uses."""
    wait("running", 600, running)
    say("active", int(show("ExecMainStartTimestampMonotonic")) / 1e6)
    say("ready", int(show("ActiveEnterTimestampMonotonic")) / 1e6)
    say("restarts", show("NRestarts"))
    say("slot", Path("/run/card/booted").read_text("utf-8").strip())
    exposed = re.findall(r"level for \S+ ([\d.]+)", ask("systemd-analyze", "security", "boardctl"))
    say("exposure", exposed[0] if exposed else "?")
    say("data", ask("findmnt", "-no", "SOURCE,FSTYPE", "/data"))
    say("data_mib", os.statvfs("/data").f_blocks * os.statvfs("/data").f_frsize >> 20)


def numbers() -> None:
    """Report memory and CPU time after the start, and of the bare interpreter for comparison."""
    began = time.monotonic()
    for _ in range(3):
        subprocess.run(["python3", "-c", "pass"], check=True)
    say("python_seconds", round((time.monotonic() - began) / 3, 2))
    say("cpu_seconds", int(show("CPUUsageNSec")) / 1e9)
    say("memory_mib", int(show("MemoryCurrent")) >> 20)
    memory = dict(re.findall(r"(\w+): +(\d+)", Path("/proc/meminfo").read_text("utf-8")))
    say("used_mib", (int(memory["MemTotal"]) - int(memory["MemAvailable"])) >> 10)
    say("total_mib", int(memory["MemTotal"]) >> 10)
    say("failed", ask("systemctl", "--failed", "--no-legend", "--plain") or "none")
    answer = ask("journalctl", "-b", "-o", "cat", "--no-pager").splitlines()
    say("left_out", " / ".join(line for line in answer if "ordering cycle" in line) or "none")
    for line in ask("journalctl", "-b", "-u", "boardctl", "-o", "cat", "--no-pager").splitlines():
        say("log", line)


def rest() -> None:
    """Report minutes without a key or a network: the writes to the data partition, and the causes
    of wake-ups, by the kernel's own counts."""
    process = int(show("MainPID"))
    with settled():
        cpu, switches = int(show("CPUUsageNSec")), switched(process)
        with counted("wakes", "dirties", "changes"):
            minutes = written([60] * MINUTES)
        say("rest_switches", switched(process) - switches)
        say("rest_cpu_ms", (int(show("CPUUsageNSec")) - cpu) / 1e6)
    say("rest_sectors", minutes)


def day() -> None:
    """Report a day without a key or a network: the writes to the data partition in each hour."""
    saved = Path("/data/systemd/clock")
    with settled():
        began = time.time()
        with counted("dirties", "changes"):
            say("day_sectors", written([3600] * DAY))
        say("day_seconds", round(time.time() - began))
        say("day_saved", round(saved.stat().st_mtime - began))
    say("day_ended", round(time.time()))
    say("day_restarts", show("NRestarts"))


def clock() -> None:
    """Report the date, which the machine itself does not know."""
    say("clock", round(time.time()))


@contextlib.contextmanager
def settled() -> Iterator[None]:
    """Wait until the board is at rest, with a strip as in the tests' configuration. If nothing
    listened, the board would keep trying to reach it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as strip:
        strip.bind(("127.0.0.1", WLED))
        time.sleep(SETTLE)
        yield


@contextlib.contextmanager
def counted(*names: str) -> Iterator[None]:
    """Count events of the kernel (Linux, Documentation/trace/histogram.rst), and report the
    sums."""
    events = {
        "wakes": ("sched/sched_wakeup", "comm"),
        "dirties": ("block/block_dirty_buffer", "common_pid.execname"),
        "changes": ("ext4/ext4_mark_inode_dirty", "ino,common_pid.execname"),
    }
    for name in names:
        event, keys = events[name]
        (TRACE / "events" / event / "trigger").write_text(f"hist:keys={keys}:size=4096", "utf-8")
    yield
    for name in names:
        seen = (TRACE / "events" / events[name][0] / "hist").read_text("utf-8")
        for found, count in re.findall(r"^\{ (.*?) \} hitcount: +(\d+)", seen, re.M):
            say(f"rest_{name}", f"{count} {' '.join(found.split())}")


def written(periods: list[int]) -> str:
    """Return the sectors written to the data partition in each of these periods, in seconds."""
    path = Path(f"/sys/class/block/{Path(disk()).name}/stat")
    counts = [sectors(path)]
    for seconds in periods:
        time.sleep(seconds)
        counts.append(sectors(path))
    return " ".join(str(b - a) for a, b in itertools.pairwise(counts))


def sectors(written: Path) -> int:
    """Return the sectors of 512 bytes written so far (Linux, Documentation/block/stat.rst)."""
    return int(written.read_text("utf-8").split()[6])


def switched(process: int) -> int:
    """Return how often all threads of a process have gone to sleep so far."""
    found = (path.read_text("utf-8") for path in Path(f"/proc/{process}/task").glob("*/status"))
    return sum(
        int(re.findall(r"^voluntary_ctxt_switches:\s+(\d+)", text, re.M)[0]) for text in found
    )


def late() -> None:
    """Plug in every kind of device that wiring.md names, mostly after the service's start.

    If this machine cannot have one, only its number is tried: a permitted device answers "No such
    device", a forbidden one "Operation not permitted".
    """
    for module in ("usbserial", "cdc_acm", "i2c-dev", "spidev", "snd-aloop", "dummy_hcd"):
        subprocess.run(["modprobe", module], check=False)
    subprocess.run(["modprobe", "g_serial"], check=False)  # a USB serial board and its far end
    wait("ttyACM0", 30, Path("/dev/ttyACM0").exists)
    numbers = {"ttyUSB0": 188, "ttyACM0": 166, "i2c-1": 89, "spidev0.0": 153, "snd/controlC0": 116}
    for name, major in numbers.items():
        path = Path("/dev") / name
        if not path.exists():
            os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(major, 0))
            path.chmod(0o666)
        say("opens", f"{path} {opens(str(path))}")
    for path in (Path("/dev/gpiochip0"), Path("/dev/ttyAMA0"), Path(disk()), Path("/dev/mem")):
        say("opens", f"{path} {opens(str(path))}")
    inside = ["nsenter", "--mount", "--target", show("MainPID"), "setpriv", "--reuid=boardctl"]
    inside += ["--regid=boardctl", "--clear-groups"]
    text = Path(f"/proc/{show('MainPID')}/mountinfo").read_text("utf-8")
    for where in sorted({line.split()[4] for line in text.splitlines()}):
        if not where.startswith(("/proc", "/sys", "/dev")):
            done = subprocess.run([*inside, "touch", f"{where}/probe"], capture_output=True)
            if done.returncode == 0:
                subprocess.run([*inside, "rm", f"{where}/probe"], check=True)
                say("writable", where)


def disk() -> str:
    return Path("/run/card/disk").read_text("utf-8").strip() + "4"


def endings() -> None:
    """Hang, kill and stop the service."""
    restarts = int(show("NRestarts"))
    os.kill(int(show("MainPID")), 19)
    wait("watchdog", 240, lambda: int(show("NRestarts")) > restarts and running())
    say("watchdog", f"{int(show('NRestarts')) - restarts} {show('SubState')}")
    restarts = int(show("NRestarts"))
    os.kill(int(show("MainPID")), 9)
    wait("killed", 240, lambda: int(show("NRestarts")) > restarts and running())
    say("killed", f"{int(show('NRestarts')) - restarts} {show('SubState')}")
    began = time.monotonic()
    subprocess.run(["systemctl", "stop", "boardctl"], check=True)
    say("stop_seconds", round(time.monotonic() - began, 1))
    say("stopped", show("Result"))
    subprocess.run(["systemctl", "start", "boardctl"], check=True)
    wait("again", 240, running)


def frames() -> None:
    """Return the LED frames from the kernel's trace of SPI transfers."""
    event = TRACE / "events/spi/spi_transfer_start/enable"
    event.write_text("1", "utf-8")
    subprocess.run(["systemctl", "restart", "boardctl"], check=True)
    time.sleep(20)
    found = [line for line in (TRACE / "trace").read_text("utf-8", "replace").splitlines()
             if "spi_transfer_start:" in line]  # fmt: skip
    say("frames", len(found))
    for line in found[:2]:
        say("frame", line.split("spi_transfer_start:")[1].strip()[:90])


def lines() -> list[str]:
    """Return the journal's lines as other readers see them: they are on disk."""
    if not JOURNAL.exists():
        return []
    journal = sqlite3.connect(f"file:{JOURNAL}?mode=ro", uri=True, timeout=10)
    try:
        return [text for (text,) in journal.execute("SELECT text FROM line ORDER BY number")]
    except sqlite3.OperationalError:
        return []  # not created yet
    finally:
        journal.close()


class Page:
    """The board's page, requested from the same machine."""

    def __init__(self) -> None:
        self.address = "http://127.0.0.1:8121"
        self.cookie = ""
        """The cookie of a paired phone."""

    def ask(self, path: str, body: object = None) -> dict[str, object]:
        """Return the JSON answer to a request."""
        asked = urllib.request.Request(self.address + path)
        if body is not None:
            asked.data = json.dumps(body).encode()
            asked.add_header("Content-Type", "application/json")
            asked.add_header("Origin", self.address)
        if self.cookie:
            asked.add_header("Cookie", self.cookie)
        try:
            with urllib.request.urlopen(asked, timeout=300) as answer:
                found: dict[str, object] = json.load(answer)
                self.cookie = answer.headers.get("Set-Cookie", self.cookie).partition(";")[0]
        except urllib.error.HTTPError as error:
            with error:
                found = json.load(error)
        return found


def mark(what: str) -> None:
    """Write a sector outside all partitions, so that the write log records the time of an event."""
    page = mmap.mmap(-1, 4096)
    page.write(what.encode().ljust(512, b" "))
    whole = Path("/run/card/disk").read_text("utf-8").strip().removesuffix("p")
    device = os.open(whole, os.O_WRONLY | os.O_DIRECT)
    os.pwritev(device, [memoryview(page)[:512]], MARK * 512)
    os.close(device)


def play() -> None:
    """Peg through the page, and mark each acknowledged line."""
    page = Page()
    wait("page", 240, lambda: connects(8121))
    number = page.ask("/state")["number"]
    say("playing", number)
    for turn in range(LINES):
        number = peg(page, turn, number)
        mark(f"lines {number}")
    say("saved", number)


def peg(page: Page, turn: int, number: object) -> object:
    """Play one line, and return the number of the next."""
    answer = page.ask("/lines", {"line": f"{turn % 2 + 1} peg 1", "expect": number})
    if "refused" in answer:  # the game is over
        answer = page.ask("/lines", {"line": "game cribbage", "expect": number})
    return answer["number"]


def again() -> None:
    """Report the content of the journal after a start, and play a line to continue it."""
    say("lines", len(lines()))
    page = Page()
    wait("page", 240, lambda: connects(8121))
    peg(page, 0, page.ask("/state")["number"])
    say("lines", len(lines()))


def connects(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 5).close()
    except OSError:
        return False
    return True


@contextlib.contextmanager
def plugged() -> Iterator[Callable[[str], None]]:
    """Plug in a number pad, and yield a function that types on it, `M` for `#` held, which opens
    the menu."""
    from evdev import UInput, ecodes

    subprocess.run(["modprobe", "uinput"], check=False)
    with UInput({ecodes.EV_KEY: list(CODES.values())}, name="test keypad") as device:

        def typed(keys: str) -> None:
            for key in keys:
                for value, seconds in ((1, 1.5 if key == "M" else 0.1), (0, 0.1)):
                    device.write(ecodes.EV_KEY, CODES["#" if key == "M" else key], value)
                    device.syn()
                    time.sleep(seconds)

        time.sleep(5)
        yield typed


def pad() -> None:
    """Plug in a number pad after the start: its keys become lines of the journal."""
    before = len(lines())
    with plugged() as typed:
        typed("B1#")
        wait("pad", 60, lambda: len(lines()) > before)
    say("pad", len(lines()) - before)


def consent() -> None:
    """Let a phone ask to play: only its number, typed in the board's menu, lets it in; then it
    plays."""
    page = Page()
    wait("page", 240, lambda: connects(8121))
    with plugged() as typed:
        typed("**")
        say("stranger", refusal(page.ask("/lines", {"line": "1 peg 1", "expect": 0})))
        asked = page.ask("/pair/ask", {})
        ticket, number = {"pin": asked["ticket"]}, str(asked["number"])
        for keys in ("", "#*", f"MB{number}*"):
            typed(keys)
            say("not_let_in", refusal(page.ask("/pair", ticket)))
        typed("A1#")  # people at the board continue: a key keeps its meaning
        wait("pegged", 60, lambda: any(" peg " in line for line in lines()))
        typed(f"MB{number}#")
        wait("paired", 60, lambda: bool(page.cookie or page.ask("/pair", ticket).get("paired")))
        say("paired", bool(page.cookie))
    due = page.ask("/state")["number"]
    say("plays", page.ask("/lines", {"line": "2 peg 1", "expect": due}).get("number") != due)
    say("stranger", refusal(Page().ask("/lines", {"line": "1 peg 1", "expect": 0})))


def refusal(answer: dict[str, object]) -> object:
    """Return the code of a refusal or an error, empty for another answer."""
    refused = answer.get("refused", answer.get("error"))
    return refused.get("code", "") if isinstance(refused, dict) else ""


def air() -> None:
    """Simulate three radios: the board's, a phone's, and that of a Wi-Fi called Home."""
    Path("/etc/NetworkManager/conf.d/air.conf").write_text(
        "[keyfile]\nunmanaged-devices=interface-name:wlan1;interface-name:wlan2\n", "utf-8"
    )
    with Path("/etc/comitup.conf").open("a", encoding="utf-8") as conf:
        conf.write("\nprimary_wifi_device: wlan0\n")
    subprocess.run(["systemctl", "restart", "NetworkManager"], check=True)
    subprocess.run(["modprobe", "mac80211_hwsim", "radios=3"], check=True)
    wait("radios", 30, Path("/sys/class/net/wlan2").exists)
    for device, name in (("wlan1", "phone"), ("wlan2", "home")):
        radio = Path(f"/sys/class/net/{device}/phy80211/name").read_text("ascii").strip()
        subprocess.run(["ip", "netns", "add", name], check=True)
        subprocess.run(["iw", "phy", radio, "set", "netns", "name", name], check=True)
    wait("comitup", 120, lambda: ask("systemctl", "is-active", "comitup") == "active", 2)


@contextlib.contextmanager
def at(name: str) -> Iterator[None]:
    """Enter the network of another machine; data sent to the board then goes through the air."""
    here = os.open("/proc/self/ns/net", os.O_RDONLY)
    there = os.open(f"/run/netns/{name}", os.O_RDONLY)
    libc = ctypes.CDLL(None)
    libc.setns(there, CLONE_NEWNET)
    try:
        yield
    finally:
        libc.setns(here, CLONE_NEWNET)
        os.close(here)
        os.close(there)


def own_wifi() -> str:
    """Return the name of the board's own Wi-Fi, empty if there is none."""
    answer = ask("nmcli", "-t", "-f", "DEVICE,STATE,CONNECTION", "device")
    found = re.search(r"^wlan0:connected:(cribbage-.*)$", answer, re.M)
    if found is None:
        return ""
    return ask("nmcli", "-g", "802-11-wireless.ssid", "connection", "show", found[1])


def supplicant(device: str, network: str) -> None:
    path = Path(f"/run/{device}.conf")
    path.write_text(f"ctrl_interface=/run/wpa-{device}\nnetwork={{\n{network}\n}}\n", "utf-8")
    subprocess.run(["wpa_supplicant", "-B", "-i", device, "-c", path], check=True)


def associated(device: str) -> bool:
    answer = ask("wpa_cli", "-p", f"/run/wpa-{device}", "-i", device, "status")
    return "wpa_state=COMPLETED" in answer


def offered(device: str) -> str:
    """Request an address on this device by DHCP (RFC 2131); return the offered one."""
    reply = ask("ip", "-o", "link", "show", device)
    found = re.search(r"link/ether ([0-9a-f:]{17})", reply)
    hardware = bytes.fromhex(found[1].replace(":", "")) if found else bytes(6)
    head = struct.pack(">BBBBIHH", 1, 1, 6, 0, 0x19191919, 0, 0x8000) + bytes(16)
    asked = head + hardware.ljust(208, b"\0")[:208] + b"\x63\x82\x53\x63\x35\x01\x01\xff"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, device.encode())
        line.bind(("", 68))
        line.settimeout(5)
        for _ in range(6):
            line.sendto(asked, ("255.255.255.255", 67))
            try:
                answer = line.recv(2048)
            except TimeoutError:
                continue
            return socket.inet_ntoa(answer[16:20])
    return ""


def hotspot() -> None:
    """With no known network, check the board's own Wi-Fi, its page, and a phone that joins it."""
    wait("hotspot", 600, lambda: bool(own_wifi()), 5)
    name = own_wifi()
    say("hotspot", name)
    say("plays", running())
    with at("phone"):
        subprocess.run(["ip", "link", "set", "wlan1", "up"], check=True)
        supplicant("wlan1", f'ssid="{name}"\nkey_mgmt=NONE')
        wait("phone", 120, lambda: associated("wlan1"), 2)
        say("phone", "joined" if associated("wlan1") else "not joined")
        address = offered("wlan1")
        say("address", address)
        subprocess.run(["ip", "address", "add", f"{address}/24", "dev", "wlan1"], check=False)
        for port in (80, 8121):
            say("page", f"{port} {title(port)}")
    say("card", ask("python3", "-c", CARD))


def title(port: int) -> str:
    """Return the title of the page that a phone gets from the board, or the reason why it gets
    none."""
    try:
        with urllib.request.urlopen(f"http://10.41.0.1:{port}/", timeout=120) as answer:
            found = re.search(r"<title>(.*?)</title>", answer.read().decode("utf-8", "replace"))
    except OSError as error:
        return str(error)
    return found[1] if found else ""


CARD = """
import socket
with socket.socket(socket.AF_UNIX) as line:
    line.connect("/run/boardctl-card.sock")
    line.sendall(b'{"do": "status"}\\n')
    line.shutdown(socket.SHUT_WR)
    print(line.recv(4096).decode().strip())
"""


def join(password: str) -> None:
    """Submit the form of comitup's page with this network and this password."""
    subprocess.run(
        ["busctl", "call", "com.github.davesteele.comitup", "/com/github/davesteele/comitup",
         "com.github.davesteele.comitup", "connect", "ss", "Home", password],
        check=False,
    )  # fmt: skip


def home() -> None:
    """Join a Wi-Fi with a password: a wrong one brings the hotspot back, the right one joins. When
    that network disappears, the hotspot returns."""
    with at("home"):
        subprocess.run(["ip", "address", "add", "10.9.9.1/24", "dev", "wlan2"], check=True)
        supplicant(
            "wlan2", 'ssid="Home"\nmode=2\nfrequency=2412\nkey_mgmt=WPA-PSK\npsk="correct horse"'
        )
        wait("home", 60, lambda: associated("wlan2"), 2)
        subprocess.Popen(
            ["dnsmasq", "--interface=wlan2", "--bind-interfaces", "--port=0",
             "--keep-in-foreground", "--dhcp-range=10.9.9.10,10.9.9.50",
             "--conf-file=/dev/null", "--pid-file=/run/home.pid"],
        )  # fmt: skip
    join("wrong horses")
    wait("leaves", 120, lambda: not own_wifi(), 2)
    wait("wrong", 900, lambda: bool(own_wifi()), 5)
    say("wrong_password", own_wifi())
    join("correct horse")
    wait(
        "joins",
        600,
        lambda: ":connected:Home" in ask("nmcli", "-t", "-f", "DEVICE,STATE,CONNECTION", "device"),
        5,
    )
    say("joined", ask("nmcli", "-t", "-f", "DEVICE,STATE,CONNECTION", "device").replace("\n", " "))
    subprocess.run(["wpa_cli", "-p", "/run/wpa-wlan2", "-i", "wlan2", "terminate"], check=True)
    wait("vanished", 1200, lambda: bool(own_wifi()), 5)
    say("vanished", own_wifi())
    say("restarts_after", show("NRestarts"))


def update() -> None:
    """Install the update that the harness put on the data partition, and start it."""
    mark("installing")
    done = subprocess.run(
        ["rauc", "install", "/data/update.raucb"], capture_output=True, text=True, check=False
    )
    mark("installed")
    say("installed", done.returncode)
    for line in (done.stdout + done.stderr).splitlines()[-6:]:
        say("rauc", line)


def good() -> None:
    """Return whether the running system was marked good."""
    slot = Path("/run/card/booted").read_text("utf-8").strip()
    wait("good", 600, lambda: not Path(f"/data/system/trial-{slot}").exists())
    say("good", not Path(f"/data/system/trial-{slot}").exists())


def power_button() -> None:
    """Wait for the button, which the harness presses; systemd-logind then switches the machine
    off."""
    say("button", "waits")
    time.sleep(3600)


def end() -> None:
    say("end", "now")
    subprocess.run(["systemctl", "poweroff"], check=False)


if __name__ == "__main__":
    for step in sys.argv[1:]:
        globals()[step]()
