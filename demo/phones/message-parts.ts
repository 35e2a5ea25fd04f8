import { parseUrl } from '@qatra/contract/lib/url'

/** The code in a message: from the line that browsers parse, else from a line that starts with it. */
export function codeIn(body: string): string | null {
  const bound = /#(\d{4,6})\s*$/.exec(body)
  const [, code] = bound ?? /^(\d{4,6})(?!\d)/m.exec(body) ?? []
  return code ?? null
}

export interface TextPart {
  text: string
  href: string | null
}

/** Splits a text into plain parts and links. A link ends before invisible or bidirectional control characters. */
export function linked(body: string): TextPart[] {
  return body
    .split(/(https?:\/\/[^\s<>"\p{Cc}\p{Cf}]+)/u)
    .filter((text) => text !== '')
    .map((text) => ({ text, href: /^https?:\/\//.test(text) && parseUrl(text) ? text : null }))
}
