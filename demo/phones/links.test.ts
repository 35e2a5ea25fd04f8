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
])('linked makes no link of %s', (text) => {
  expect(addresses(text)).toEqual([])
  // The whole text is preserved.
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
  // Bidirectional control characters end the link, so that the shown address is the target.
  [`https://a.example/${rlo}fdp.exe`, 'https://a.example/'],
  [`https://a.example/${isolate}moc.evil${end}`, 'https://a.example/'],
  [`https://a.example/x${sign(0)}${sign(0x200b)}y`, 'https://a.example/x'],
  [`${rlo}https://a.example/x`, 'https://a.example/x'],
])('linked links only the address in %j', (text, address) => {
  expect(addresses(text)).toEqual([address])
  expect(
    linked(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text)
})

it('linked splits long and unusual texts without backtracking', () => {
  const before = process.cpuUsage()
  for (const text of ['https://'.repeat(500), 'http:'.repeat(800), `https://${'a'.repeat(4_080)}`]) linked(text)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(1_000)
})
