import type { Lang } from '@qatra/contract/lib/lang'

type Value = string | number | undefined

/** Query strings are plain text: a value is a string, a repeated key an array of strings. */
export function parseSearch(text: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {}
  for (const [key, value] of new URLSearchParams(text)) {
    const before = Object.hasOwn(found, key) ? found[key] : undefined
    Object.defineProperty(found, key, {
      value: before === undefined ? value : [before, value].flat(),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return found
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(search)) {
    for (const one of [value].flat() as Value[]) if (one !== undefined && one !== null) params.append(key, String(one))
  }
  // `params.size` is newer than the oldest browsers.
  const text = params.toString()
  return text && `?${text}`
}

export interface LangSearch {
  lang?: Lang | undefined
}

export function langSearch(search: Record<string, unknown>): LangSearch {
  return { lang: search.lang === 'ar' || search.lang === 'en' ? search.lang : undefined }
}

export interface HomeSearch {
  /** 0 and a missing key mean all vendors. */
  vendor?: number | undefined
  size?: string | undefined
  sort?: Sort | undefined
  /** Product search; empty while the field is open on a phone. */
  q?: string | undefined
}

export const sorts = ['litre', 'day', 'fee'] as const
export type Sort = (typeof sorts)[number]

/** Invalid values are dropped, which also removes them from the address. */
export function homeSearch(search: Record<string, unknown>): HomeSearch {
  const vendor = Number(typeof search.vendor === 'object' ? Number.NaN : search.vendor)
  const size = typeof search.size === 'string' ? search.size.trim() : ''
  const q = typeof search.q === 'string' ? search.q.trim() : undefined
  return {
    vendor: Number.isInteger(vendor) && vendor > 0 ? vendor : undefined,
    size: size && size.length <= 50 ? size : undefined,
    sort: sorts.find((sort) => sort === search.sort),
    q: q !== undefined && q.length <= 100 ? q : undefined,
  }
}

export interface LoginSearch {
  redirect?: string | undefined
}

export function loginSearch(search: Record<string, unknown>): LoginSearch {
  return { redirect: typeof search.redirect === 'string' ? search.redirect : undefined }
}

export interface LinkSearch {
  /** The address may also contain `success` and `error`; only the server's answer decides. */
  redirectUrl?: string | undefined
  redirectParams?: string | undefined
}

export function linkSearch({ redirectUrl, redirectParams }: Record<string, unknown>): LinkSearch {
  return {
    redirectUrl: typeof redirectUrl === 'string' ? redirectUrl : undefined,
    redirectParams: typeof redirectParams === 'string' ? redirectParams : undefined,
  }
}

export interface PhoneSearch {
  phone?: string | undefined
}

export interface TelegramSearch extends PhoneSearch {
  /** The open chat; if missing, the list of chats is shown. */
  chat?: string | undefined
  /** Start parameter of the bot. */
  start?: string | undefined
}

export function telegramSearch(search: Record<string, unknown>): TelegramSearch {
  const { chat, start } = search
  return {
    ...phoneSearch(search),
    chat: typeof chat === 'string' && /^(?:bot|[1-9]\d{0,9})$/.test(chat) ? chat : undefined,
    start: typeof start === 'string' && /^[\w-]{1,64}$/.test(start) ? start : undefined,
  }
}

export function phoneSearch({ phone }: Record<string, unknown>): PhoneSearch {
  return { phone: typeof phone === 'string' && phone.length <= 40 ? phone : undefined }
}
