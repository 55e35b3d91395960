"""Runs a program in a pseudo-terminal: what comes on standard input is typed, what the program shows goes to standard output.

usage: pseudo-terminal.py COLUMNS ROWS PROGRAM ARGUMENTS...
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios

columns, rows, *command = sys.argv[1:]
child, master = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))
    os.execvp(command[0], command)

while True:
    ready, _, _ = select.select([0, master], [], [])
    if master in ready:
        try:
            shown = os.read(master, 65536)
        except OSError:
            break
        if not shown:
            break
        os.write(1, shown)
    if 0 in ready:
        typed = os.read(0, 65536)
        if typed:
            os.write(master, typed)
        else:
            # Whoever typed is gone, as when a window is closed.
            os.close(master)
            break

_, status = os.waitpid(child, 0)
sys.exit(os.waitstatus_to_exitcode(status) % 256)
