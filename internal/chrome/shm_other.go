//go:build !linux

package chrome

func smallShm() bool { return false }
