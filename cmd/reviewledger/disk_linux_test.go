package main

import "testing"

func TestNetworkFileSystems(t *testing.T) {
	t.Parallel()
	for magic, want := range map[uint32]bool{0x6969: true, 0xff534d42: true, 0xfe534d42: true, 0xef53: false, 0x01021994: false, 1: false} {
		if kind, network := linuxFileSystem(magic); network != want || kind == "" {
			t.Errorf("linuxFileSystem(%#x) = %q, %v", magic, kind, network)
		}
	}
	if _, _, free, ok := fileSystemOf(t.TempDir()); !ok || free == 0 {
		t.Errorf("a temporary folder: ok %v, %d bytes free", ok, free)
	}
}
