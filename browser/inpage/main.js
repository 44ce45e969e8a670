// What callers may use. The property is the global's own, so that no element of the page stands in its place.
Object.defineProperty(globalThis, 'glass', {
  value: {
    roleOf, nameOf, statesOf, valueOf, isDisabled, isSensitive, CONTROL_SELECTOR, isControl, isClickable, hasOwnPointer,
    newPass, isRendered, isSeen, isInert, visibleText, textIncludes, outlineOf, regionOf, contextOf, hashText,
    shadowHosts, byteLength, cutBytes, collapse, cleanLabel,
  },
});
