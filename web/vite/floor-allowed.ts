/**
 * Features newer than the floor that bundles may use, grouped by reason. An unused key fails the build too.
 */
type Allowed = Readonly<Record<string, readonly string[]>>

/** Properties of our own or a library's objects with the name of a newer platform member. */
const ownProperties = [
  'api.Element.role',
  'api.RTCIceCandidate.address',
  'api.RTCIceCandidate.component',
  'api.RTCIceCandidate.priority',
  'api.FontFaceSet.check',
  'api.IntersectionObserver.delay',
  'api.HTMLInputElement.capture',
  'api.ServiceWorkerRegistration.sync',
  'api.EventTarget.when',
  'api.Navigator.keyboard',
  'api.Navigator.share',
]
/** React and Leaflet detect these before use. */
const lookedFor = [
  'api.TouchEvent',
  'api.MouseEvent.movementX',
  'api.MouseEvent.movementY',
  'api.Navigator.connection',
  'api.HTMLElement.popover',
  'api.Document.startViewTransition',
  'api.Window.devicePixelRatio',
  'api.Window.navigation',
]
/** Browsers without these ignore them, with a small loss of speed or comfort. */
const passedOver = [
  'api.Request.keepalive',
  'api.HTMLImageElement.fetchPriority',
  'api.HTMLLinkElement.imageSizes',
  'api.HTMLVideoElement.playsInline',
]
/** Keyboard and mouse events had it before input events. */
const keyboard = ['api.InputEvent.isComposing']
const looks = [
  'css.properties.resize',
  'css.properties.text-wrap',
  'css.properties.overscroll-behavior',
  'css.properties.overscroll-behavior-x',
  'css.properties.scrollbar-width',
  'css.properties.rotate',
  'css.properties.translate',
  'css.properties.user-select',
  'css.properties.print-color-adjust',
  'css.at-rules.page',
  'css.selectors.selection',
]
/** Used in `:is()`, which ignores unknown selectors. */
const forgiven = ['css.selectors.popover-open', 'css.selectors.open']
/** Written twice by `viewportHeights`. */
const heights = ['css.types.length.viewport_percentage_units_dynamic']
/** All browsers support the form used here. */
export const sound = ['api.AudioParam.linearRampToValueAtTime', 'api.AudioParam.exponentialRampToValueAtTime']
const common = { ownProperties, lookedFor, passedOver, keyboard, looks, forgiven, heights }

export const allowedInShop: Allowed = {
  ...common,
  shopProperties: ['api.WindowClient.navigate', 'api.PerformanceResourceTiming.transferSize'],
  // Firefox before 121 draws the field's own outline instead (web/app/styles/base.css).
  outlines: ['css.selectors.has'],
  // Safari before 16.4 has no notifications: `hasPush` (web/push/device.ts) detects them first.
  notifications: [
    'api.Notification',
    'api.Notification.permission_static',
    'api.Notification.requestPermission_static',
    'api.ServiceWorkerRegistration.pushManager',
  ],
  looksOfShop: ['css.properties.outline', 'css.at-rules.media.forced-colors'],
}
export const allowedInAdmin: Allowed = {
  ...common,
  // `Children.toArray`, methods of Base UI's scroll lock, and our own properties of map areas, charts, sizes and pins.
  adminProperties: [
    'api.Navigator.ml',
    'javascript.builtins.Iterator.drop',
    'javascript.builtins.Set.difference',
    'javascript.builtins.Iterator.toArray',
    'api.ScreenOrientation.lock',
    'api.ScreenOrientation.unlock',
  ],
  // Base UI tests for the method; an element without the property counts as enabled.
  detectedByBaseUi: ['api.Element.checkVisibility', 'api.Element.ariaDisabled'],
  // Without it the page behind a panel can be reached by Tab.
  panels: ['api.HTMLElement.inert'],
  sound,
  // Looked for before use (contract/lib/fit.ts).
  letters: ['javascript.builtins.Intl.Segmenter'],
  // Firefox for Android before 114 lacks it; sheets are printed at a desk.
  print: ['api.Window.print'],
  outlines: ['css.selectors.has'],
  looksOfAdmin: [
    'css.properties.scale',
    'css.properties.field-sizing',
    'css.properties.overflow-anchor',
    'css.properties.container-type',
    'css.at-rules.container',
  ],
}
/** Called for messages of a push service alone, which such browsers have. */
export const allowedInShopWorker: Allowed = {
  notifications: ['api.ServiceWorkerRegistration.showNotification', 'api.ServiceWorkerRegistration.pushManager'],
}
