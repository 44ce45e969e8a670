package cdp

import (
	"bufio"
	"context"
	"io"
	"testing"
)

func TestPipeCallAndReply(t *testing.T) {
	toBrowser, request := io.Pipe()
	reply, fromBrowser := io.Pipe()
	c := NewPipe(reply, request, nil)
	defer c.Close()
	go func() {
		got, _ := bufio.NewReader(toBrowser).ReadString(0)
		if got == `{"id":1,"sessionId":"S","method":"A.b","params":{"x":1}}`+"\x00" {
			_, _ = io.WriteString(fromBrowser, `{"id":1,"result":{"y":2},"sessionId":"S"}`+"\x00")
		}
		_ = fromBrowser.Close()
	}()
	var result struct {
		Y int `json:"y"`
	}
	err := c.Session("S").Call(context.Background(), "A.b", map[string]int{"x": 1}, &result)
	if err != nil || result.Y != 2 {
		t.Fatalf("got %v, %v; want y = 2", result, err)
	}
}
