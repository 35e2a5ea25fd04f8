import { type DestinationStream, type Logger, pino } from 'pino'

const HIDDEN = '[hidden]'
const MASK = '•••'
/** Keys of personal data and credentials. Error codes are under `err`, which describeError writes. */
const hidden = new Set([
  'code',
  'token',
  'cookie',
  'set-cookie',
  'authorization',
  'password',
  'secret',
  'address',
  'addressParts',
  'coordinates',
  'mapCoordinates',
  'lat',
  'lng',
  'body',
  'text',
  'message',
  'name',
  'customerName',
  'receiverName',
  'instructions',
  'query',
  'url',
])
const phones = new Set(['phone', 'receiverPhone', 'from', 'to', 'contact'])

/** `+97336001234` → `+973****1234` */
export const maskPhone = (phone: string) =>
  phone.length < 8 ? '****' : `${phone.slice(0, Math.max(0, phone.length - 8))}****${phone.slice(-4)}`

/** Masks phones with a country code and session values anywhere in a line. */
const maskLine = (line: string) =>
  line
    .replace(/(?:\+|%2B|\b00)\d{8,15}\b/gi, (phone) => maskPhone(phone))
    .replace(/\b973\d{8}\b/g, (phone) => maskPhone(phone))
    .replace(/\b[gu]\.[A-Za-z0-9_-]{43}/g, HIDDEN)

/** Masks quoted values, phones, e-mail addresses and long runs that may be keys in text of unknown origin. */
export const maskText = (text: string) =>
  maskLine(withoutValues(text))
    .replace(/\S+/g, (word) => (word.includes('@') ? MASK : word))
    .replace(/[\w-]{24,}/g, MASK)
    .replace(/\d{8,}/g, MASK)

function hide(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date) return value
  if (depth > 4) return HIDDEN
  if (Array.isArray(value)) return value.slice(0, 20).map((one) => hide(one, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if (one !== null && hidden.has(key)) return [key, HIDDEN]
      if (typeof one === 'string' && phones.has(key)) return [key, maskPhone(one)]
      return [key, hide(one, depth + 1)]
    }),
  )
}

/**
 * A database error repeats the values it was given: in the parameters, in `detail`, and in quotes after a colon. Keeps
 * the place and kind of the error.
 */
const withoutValues = (message: string) =>
  message
    .replace(/\nparams:[\s\S]*$/, '')
    .replace(/: "[^]*"/g, `: "${HIDDEN}"`)
    .replace(/(value|token|string) ["'][^]*["']/gi, `$1 ${HIDDEN}`)
    .slice(0, 1_000)

export function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error, message: HIDDEN }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    message: withoutValues(error.message),
    stack: frames.slice(0, 15).join('\n'),
    ...(error.cause !== undefined && depth < 3 ? { cause: describeError(error.cause, depth + 1) } : {}),
  }
}

/** JSON lines without personal data: hides known keys, strips values from errors, masks phones elsewhere. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: undefined,
    serializers: { err: (error: unknown) => (typeof error === 'string' ? withoutValues(error) : describeError(error)) },
    formatters: {
      level: (label: string) => ({ level: label }),
      // hide() returns an object for an object.
      log: (entry: Record<string, unknown>) => hide(entry) as Record<string, unknown>,
    },
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: maskLine },
  }
  return destination ? pino(options, destination) : pino(options)
}
