// Cuts IBM Plex Sans Arabic down to what the shop writes. Run by hand when that changes; its output is committed.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import subsetFont from 'subset-font'

const require = createRequire(import.meta.url)
const whole = { 400: '400Regular/IBMPlexSansArabic_400Regular', 600: '600SemiBold/IBMPlexSansArabic_600SemiBold' }
const source = (weight) => require.resolve(`@expo-google-fonts/ibm-plex-sans-arabic/${whole[weight]}.ttf`)

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)).join('')

const written = {
  // Letters, harakat, Arabic digits as people type them, tatweel, the letters of Gulf names, Arabic punctuation; and the
  // digits and signs of prices and dates, for which an Arabic page would else wait for the Latin files.
  arabic:
    range(0x30, 0x39) +
    ' %()+,-./:\u00a0\u00b7\u00d7\u2026' +
    '\u060c\u061b\u061f\u066a' +
    range(0x621, 0x63a) +
    range(0x640, 0x652) +
    range(0x660, 0x669) +
    '\u0670\u067e\u0686\u06a4\u06af\u200c\u200d',
  // ASCII, the accents of European names, the punctuation of both languages.
  latin:
    range(0x20, 0x7e) +
    '\u00a0\u00a9\u00ab\u00ae\u00b0\u00b7\u00bb\u00bd\u00c9\u00d7\u00e0\u00e1\u00e4\u00e7\u00e8\u00e9\u00ea\u00ed\u00f1\u00f3\u00f6\u00fc' +
    '\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u2212',
}

let total = 0
for (const script of ['arabic', 'latin']) {
  for (const weight of [400, 600]) {
    const cut = await subsetFont(readFileSync(source(weight)), written[script], {
      targetFormat: 'woff2',
      // Arabic needs its joined forms; Latin its plain ones only.
      noLayoutClosure: script === 'latin',
    })
    const name = `plex-${script}-${weight}.woff2`
    writeFileSync(resolve(import.meta.dirname, name), cut)
    total += cut.length
    console.log(name, cut.length)
  }
}
console.log('total', total)
