// Package cdp is the connection to a browser's DevTools: one [Conn] over a pipe or a WebSocket, and on it one [Session]
// per target that is attached with flattened sessions.
//
//	conn := cdp.NewPipe(fromBrowser, toBrowser, nil)
//	defer conn.Close()
//	page := conn.Session(id) // the id comes from Target.attachToTarget on conn.Browser()
//	err := page.Call(ctx, "Page.navigate", params, &result)
//
// A Session is a cdproto [github.com/chromedp/cdproto/cdp.Session], so the generated commands run on it.
//
// What the package promises (browser.md §7 and §9, reliability.md F3 to F6):
//
//   - Every call ends: with the reply, at its context's deadline or after [CallCeiling], when its session is detached
//     or its target crashes, or when the connection ends. No call waits behind another one's reply.
//   - Requests leave in the order in which they were made. An answer or an event is seen in the order of arrival:
//     inline handlers ([Session.Handle]) have run before any later reply is delivered.
//   - Nothing is queued without bound. A subscriber that is too slow loses its own subscription, with [ErrOverflow];
//     the connection and its calls do not notice.
//   - A peer that breaks the protocol ends the connection with a typed cause: [ErrFrameTooLarge], [ErrGarbage],
//     io.ErrUnexpectedEOF within a frame, io.EOF between two.
//
// The reader goroutine looks only at the head of each frame. A reply is decoded once, in the goroutine of its caller;
// the parameters of an event are read only when somebody wants that event.
package cdp
