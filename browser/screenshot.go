package browser

import (
	"context"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
	"github.com/glasskit/glass/policy"
)

var screenshotOperation = operation.Spec{
	Name: "screenshot", Toolset: "browser", Capability: string(policy.Screenshot), ReadOnly: true, Idempotent: true, OpenWorld: true,
	Summary: "A picture of the viewport, or of the full page",
	Example: "glass screenshot --full-page",
}

// ScreenshotInput says what the picture shows.
type ScreenshotInput struct {
	RouteArgs
	FullPage bool   `json:"fullPage,omitzero" doc:"the whole page, not only the viewport"`
	Format   string `json:"format,omitzero" doc:"image format (default png)" glass:"enum=png|jpeg|webp,hidden"`
}

// ScreenshotResult says what was taken; the picture comes beside it.
type ScreenshotResult struct {
	Format   string            `json:"format"`
	Bytes    int               `json:"bytes"`
	Revision contract.Revision `json:"revision"`
	TargetID string            `json:"targetId"`

	image operation.Content
}

// Attachments are the picture.
func (s *ScreenshotResult) Attachments() []operation.Content { return []operation.Content{s.image} }

// Screenshot takes a picture of the page.
func (rt *Runtime) Screenshot(ctx context.Context, call *Call, in ScreenshotInput) (*ScreenshotResult, error) {
	var result *ScreenshotResult
	err := rt.read(ctx, call, in.RouteArgs, func(ctx context.Context, r *route) error {
		if err := r.policy.Require(policy.Screenshot); err != nil {
			return err
		}
		if r.page.openDialog() != nil {
			return dialogBlocks()
		}
		image, err := r.screenshot(ctx, in)
		if err != nil {
			return err
		}
		result = &ScreenshotResult{Format: image.MIME, Bytes: len(image.Data), Revision: r.rev.now(), TargetID: r.page.id, image: image}
		return nil
	})
	return result, err
}

func (r *route) screenshot(ctx context.Context, in ScreenshotInput) (operation.Content, error) {
	format := in.Format
	if format == "" {
		format = "png"
	}
	runCtx, stop, err := r.page.startRun(ctx)
	if err != nil {
		return operation.Content{}, err
	}
	defer stop()
	var shot struct {
		Data []byte `json:"data"` // base64 on the wire
	}
	params := map[string]any{"format": format, "captureBeyondViewport": in.FullPage, "optimizeForSpeed": true}
	if err := r.page.cdp.Call(runCtx, "Page.captureScreenshot", params, &shot); err != nil {
		return operation.Content{}, r.page.runError(runCtx, r.frame, err)
	}
	if err := checkPicture(len(shot.Data)); err != nil {
		return operation.Content{}, err
	}
	return operation.Picture("image/"+format, shot.Data), nil
}

func checkPicture(bytes int) error {
	if bytes <= ScreenshotBytes {
		return nil
	}
	return contract.Fail(contract.VerificationFailed, contract.PhaseBrowserEffect, "the picture has %d bytes; the limit is %d", bytes, ScreenshotBytes).
		Because("too_large").Suggest(contract.ToolNone)
}
