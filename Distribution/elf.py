"""Lowers the version of the C library that a file asks for, where a function's newer version does the same.

https://refspecs.linuxbase.org/LSB_5.0.0/LSB-Core-generic/LSB-Core-generic/symversion.html
"""
import re, struct, subprocess

VERSYM, VERNEED, DYNSYM, WEAK, GLOBAL = 0x6FFFFFFF, 0x6FFFFFFE, 11, 2, 1


def newest_glibc(path):
    """The newest version of the C library that the file needs, as (major, minor); versions marked weak do not count."""
    newest = (0, 0)
    for line in subprocess.run(["readelf", "-VW", str(path)], check=True, capture_output=True, text=True).stdout.splitlines():
        match = re.search(r"Name: GLIBC_(\d+)\.(\d+)\S*\s+Flags: (\S+)", line)
        if match and "WEAK" not in match[3]:
            newest = max(newest, (int(match[1]), int(match[2])))
    return newest


def lower_glibc(path, functions):
    """Has the file take any version of `functions` (`hypot` has one of 2.35 that only leaves out an old way to report errors)."""
    data = bytearray(path.read_bytes())
    sections = list(_sections(data))
    by_type = {kind: (index, offset, size, link) for index, (kind, offset, size, link) in enumerate(sections)}
    if not all(kind in by_type for kind in (VERSYM, VERNEED, DYNSYM)):
        return
    _, symbols, size, link = by_type[DYNSYM]
    strings, versions = sections[link][1], by_type[VERSYM][1]
    freed, used = set(), set()
    for index in range(size // 24):
        name, _, _, section = struct.unpack_from("<IBBH", data, symbols + index * 24)
        version = struct.unpack_from("<H", data, versions + index * 2)[0] & 0x7FFF
        if section == 0 and _string(data, strings + name) in functions and version > GLOBAL:
            struct.pack_into("<H", data, versions + index * 2, GLOBAL)
            freed.add(version)
        else:
            used.add(version)
    _weaken(data, by_type[VERNEED][1], freed - used)
    path.write_bytes(data)


def _weaken(data, need, versions):
    """The loader does without a weak version that is not there."""
    while True:
        count, auxiliary, following = struct.unpack_from("<2xH4xII", data, need)
        entry = need + auxiliary
        for _ in range(count):
            flags, version, _, after = struct.unpack_from("<4xHHII", data, entry)
            if version & 0x7FFF in versions:
                struct.pack_into("<H", data, entry + 4, flags | WEAK)
            entry += after
        if not following:
            return
        need += following


def _sections(data):
    start, = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    for index in range(count):
        kind, offset, length, link = struct.unpack_from("<4xI16xQQI", data, start + index * size)
        yield kind, offset, length, link


def _string(data, start):
    return data[start:data.index(0, start)].decode()
