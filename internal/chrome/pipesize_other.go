//go:build !linux

package chrome

import "os"

func widen(*os.File) {}
