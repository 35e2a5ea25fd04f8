/** An element of the page: the first visible one that fits. */
export interface Target {
  css: string
  /** Its text, or its accessible name by `aria-label`, contains this. */
  text?: string
}

/** The browser operations that the journeys need; each call ends within `CALL_MS`. */
export interface Engine {
  open(url: string): Promise<void>
  reload(): Promise<void>
  address(): Promise<URL>
  /** Waits for the target. */
  click(target: Target): Promise<void>
  /** Clicks the target, then types. */
  type(target: Target, text: string): Promise<void>
  /** Text of the first visible match; null if there is none. */
  textOf(target: Target): Promise<string | null>
  /** Runs a script in the page and returns its result. */
  run<T>(body: string): Promise<T>
  /** Page and console errors, if the browser reports them. */
  errors(): readonly string[]
  /** A screenshot of the X screen. */
  picture(file: string): Promise<void>
  close(): Promise<void>
}

export const CALL_MS = 20_000
/** Each browser starts with a new profile. */
export const START_MS = 60_000
const WAIT_MS = 60_000

/** Runs in the page. */
export const findIn = `(css, text) => [...document.querySelectorAll(css)].find((one) => {
  const box = one.getBoundingClientRect()
  if (box.width === 0 || box.height === 0) return false
  return text === '' || (one.getAttribute('aria-label') ?? '').includes(text) || one.textContent.includes(text)
}) ?? null`

/** The same, once it is hydrated: before, a click on a server-rendered element does nothing. */
export const findHydrated = `(css, text) => {
  const one = (${findIn})(css, text)
  return one && Object.keys(one).some((key) => key.startsWith('__reactProps')) ? one : null
}`

export const nameOf = ({ css, text }: Target) => (text === undefined ? css : `${css} "${text}"`)

/** Retries until the result is neither null, false nor an error. */
export async function until<T>(what: string, ask: () => Promise<T | null | false>): Promise<T> {
  const end = Date.now() + WAIT_MS
  let last: unknown = null
  while (Date.now() < end) {
    try {
      const answer = await ask()
      if (answer !== null && answer !== false) return answer
    } catch (error) {
      last = error // The page may be navigating.
    }
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`${what} did not come within ${WAIT_MS / 1000} s`, { cause: last })
}

export async function within<T>(what: string, work: Promise<T>, most = CALL_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`${what} did not answer within ${most / 1000} s`)), most)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
