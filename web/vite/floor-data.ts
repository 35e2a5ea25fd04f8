import { features } from 'web-features'

/** Oldest versions of the engines. Samsung Internet 20 is Chromium 106; Edge follows Chrome. */
export interface Floor {
  safari: number
  chrome: number
  firefox: number
}

/** README.md lists the same versions. */
export const floors = {
  shop: { safari: 15.4, chrome: 100, firefox: 100 },
  admin: { safari: 16.4, chrome: 100, firefox: 100 },
} satisfies Record<string, Floor>

/** React, Leaflet and our own code detect these before use. */
const detected = [
  ...['api.TouchEvent', 'api.Window.devicePixelRatio', 'api.Window.navigation'],
  // Where a browser has no notifications `hasPush` (web/push/use-push.ts) finds that first.
  ...['api.Notification', 'api.Notification.permission_static', 'api.Notification.requestPermission_static'],
]

/** Features newer than the floor that scripts may use. An unused key fails the build too. */
export const allowed = {
  shop: [
    ...detected,
    // Our own property of a map pin.
    'javascript.builtins.Iterator.drop',
  ],
  admin: [
    ...detected,
    // Firefox for Android before 114 lacks it; sheets are printed at a desk.
    'api.Window.print',
    // Looked for before use (contract/lib/fit.ts).
    'javascript.builtins.Intl.Segmenter',
    // `Children.toArray` of React, and properties of our own: a pin's, a cash closing's.
    'javascript.builtins.Iterator.drop',
    'javascript.builtins.Iterator.toArray',
    'javascript.builtins.Set.difference',
  ],
} satisfies Record<keyof typeof floors, readonly string[]>

/** The floor for Vite, which lowers CSS to it. */
export const targetOf = ({ safari, chrome, firefox }: Floor) => [
  `safari${safari}`,
  `ios${safari}`,
  `chrome${chrome}`,
  `firefox${firefox}`,
]

const browsersOf = ({ safari, chrome, firefox }: Floor): [browser: string, oldest: number][] => [
  ['safari', safari],
  ['safari_ios', safari],
  ['chrome', chrome],
  ['chrome_android', chrome],
  ['firefox', firefox],
  ['firefox_android', firefox],
]

/** Platform features by browser-compat-data key, such as `javascript.builtins.Array.toSorted`. */
const supportByKey = new Map<string, Map<string, string>>()
for (const feature of Object.values(features)) {
  if (feature.kind !== 'feature') continue
  for (const key of feature.compat_features ?? []) {
    const support = feature.status.by_compat_key?.[key]?.support ?? feature.status.support
    supportByKey.set(key, new Map(Object.entries(support)))
  }
}

/** True if a browser of the floor lacks the feature; false if all have it or it is unknown. */
export function isNewer(key: string, floor: Floor): boolean {
  const support = supportByKey.get(key)
  return !!support && browsersOf(floor).some(([browser, oldest]) => !(versionOf(support.get(browser)) <= oldest))
}
const versionOf = (version = '') => Number.parseFloat(version.replace('≤', ''))

/** A name that scripts reach: a global (`structuredClone`), or a member of one (`Array` · `toSorted`). */
export interface ApiName {
  key: string
  owner: string | null
  name: string
  isStatic: boolean
}

/** The tables mark statics of web interfaces; statics of the language are listed on their constructors. */
function isStaticOf(owner: string | null, name: string): boolean {
  const constructor: unknown = Reflect.get(globalThis, owner ?? '')
  return typeof constructor === 'function' && Object.hasOwn(constructor, name)
}

function apiName(key: string): ApiName | null {
  const path = key.replace(/^(?:api|javascript\.builtins)\./, '').split('.')
  if (path.length === key.split('.').length || key.endsWith('_event')) return null
  const last = path.pop() ?? ''
  const owner = path.join('.').replace(/^Window$/, '') || null
  // `Intl` contains constructors; for others a third step is an option of a method.
  if ((path.length > 1 && path[0] !== 'Intl') || owner === last || !/^[A-Za-z]\w*$/.test(last)) return null
  const name = last.replace(/_static$/, '')
  return { key, owner, name, isStatic: last !== name || isStaticOf(owner, name) }
}

export const apiNames: readonly ApiName[] = [...supportByKey.keys()].flatMap((key) => apiName(key) ?? [])
