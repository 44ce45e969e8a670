package browser

import "github.com/glasskit/glass/internal/operation"

// Operations lists everything that the page surface can do, bound to this runtime. Frontends are made from it.
func (rt *Runtime) Operations() []*operation.Operation {
	return []*operation.Operation{
		operation.Define(observeOperation, rt.Observe),
		operation.Define(findOperation, rt.Find),
		operation.Define(getTextOperation, rt.GetText),
		operation.Define(screenshotOperation, rt.Screenshot),
		operation.Define(waitOperation, rt.Wait),
		operation.Define(navigateOperation, rt.Navigate),
		operation.Define(backOperation, rt.Back),
		operation.Define(forwardOperation, rt.Forward),
		operation.Define(reloadOperation, rt.Reload),
		operation.Define(clickOperation, rt.Click),
		operation.Define(hoverOperation, rt.Hover),
		operation.Define(scrollOperation, rt.Scroll),
		operation.Define(typeOperation, rt.Type),
		operation.Define(clearOperation, rt.Clear),
		operation.Define(fillFormOperation, rt.FillForm),
		operation.Define(selectOperation, rt.Select),
		operation.Define(checkOperation, rt.Check),
		operation.Define(uncheckOperation, rt.Uncheck),
		operation.Define(keyOperation, rt.Key),
		operation.Define(shortcutOperation, rt.Shortcut),
		operation.Define(acceptDialogOperation, rt.AcceptDialog),
		operation.Define(dismissDialogOperation, rt.DismissDialog),
		operation.Define(listTargetsOperation, rt.ListTargets),
		operation.Define(createTargetOperation, rt.CreateTarget),
		operation.Define(selectTargetOperation, rt.SelectTarget),
		operation.Define(closeTargetOperation, rt.CloseTarget),
		operation.Define(listFramesOperation, rt.ListFrames),
		operation.Define(selectFrameOperation, rt.SelectFrame),
		operation.Define(restartOperation, rt.RestartBrowser),
		operation.Define(getDOMOperation, rt.GetDOM),
		operation.Define(preflightOperation, rt.Preflight),
		operation.Define(doubleClickOperation, rt.DoubleClick),
		operation.Define(clickAtOperation, rt.ClickAt),
		operation.Define(evaluateOperation, rt.Evaluate),
		operation.Define(sessionsOperation, rt.Sessions),
		operation.Define(closeOperation, rt.CloseSession),
	}
}
