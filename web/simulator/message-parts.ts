import { parseUrl } from '@qatra/contract/url'

/** The code a message brings: from the line browsers read, else from a line that begins with it. */
export function codeIn(body: string): string | null {
  const bound = /#(\d{4,6})\s*$/.exec(body)
  const [, code] = bound ?? /^(\d{4,6})(?!\d)/m.exec(body) ?? []
  return code ?? null
}

export interface TextPart {
  text: string
  href: string | null
}

/** The text in pieces, so that addresses in it can be pressed; one ends before whatever is not seen or turns letters around. */
export function linked(body: string): TextPart[] {
  return body
    .split(/(https?:\/\/[^\s<>"\p{Cc}\p{Cf}]+)/u)
    .filter((text) => text !== '')
    .map((text) => ({ text, href: /^https?:\/\//.test(text) && parseUrl(text) ? text : null }))
}
