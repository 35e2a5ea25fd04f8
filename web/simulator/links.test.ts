import { expect, it } from 'vitest'
import { linked } from './message-parts.ts'

const sign = (code: number) => String.fromCodePoint(code)
const [rlo, isolate, end] = [sign(0x202e), sign(0x2067), sign(0x2069)]
const addresses = (text: string) => linked(text).flatMap(({ href }) => href ?? [])

it.each([
  'javascript:alert(1)',
  'JaVaScRiPt://x%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  '//evil.example/x',
  'https://',
  'http://[',
  'h ttp://a.example',
  '<a href="javascript:alert(1)">x</a>',
  '<img src=x onerror=alert(1)>',
])('nothing can be pressed in %s', (text) => {
  expect(addresses(text)).toEqual([])
  // All of it is still there, as words.
  expect(
    linked(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text)
})

it.each([
  ['https://a.example/x"onclick="alert(1)', 'https://a.example/x'],
  ['https://a.example/x<script>alert(1)</script>', 'https://a.example/x'],
  ['javascript:alert(1)//https://a.example/x', 'https://a.example/x'],
  // What turns letters around is outside: the address reads as it leads.
  [`https://a.example/${rlo}fdp.exe`, 'https://a.example/'],
  [`https://a.example/${isolate}moc.evil${end}`, 'https://a.example/'],
  [`https://a.example/x${sign(0)}${sign(0x200b)}y`, 'https://a.example/x'],
  [`${rlo}https://a.example/x`, 'https://a.example/x'],
])('in %j the address alone can be pressed', (text, address) => {
  expect(addresses(text)).toEqual([address])
  expect(
    linked(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text)
})

it('is split in a moment however long and odd', () => {
  const begun = performance.now()
  for (const text of ['https://'.repeat(500), 'http:'.repeat(800), `https://${'a'.repeat(4_080)}`]) linked(text)
  expect(performance.now() - begun).toBeLessThan(200)
})
