// Draws favicon and app icons from the mark with an installed Chromium. Run by hand when the mark changes; its output in
// web/public is committed.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { chromium } from 'playwright-core'

const publicFolder = resolve(import.meta.dirname, '../public')
const drop = 'M24 3C29 11 39 19.3 39 29.3A15 15 0 0 1 9 29.3C9 19.3 19 11 24 3Z'
const sea = 'M9.1 30.8C13 26.6 18 26.9 24 30.1S35 33.8 38.9 30.8A15 15 0 0 1 9.1 30.8Z'
const tokens = readFileSync(resolve(import.meta.dirname, 'styles/tokens.css'), 'utf8')
const colour = (name) => new RegExp(`--${name}: (#\\w+)`).exec(tokens)[1]
const [gulf, deep, aqua, white] = ['gulf', 'gulf-deep', 'aqua', 'on-deep'].map(colour)

const mark = (body, pearl) =>
  `<path d="${drop}" fill="${body}"/><path d="${sea}" fill="${aqua}"/><circle cx="20.5" cy="21" r="3.2" fill="${pearl}"/>`
/** The mark on a full square, small enough for the round masks of phones. */
const square = (size, scale) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 48 48"><rect width="48" height="48" fill="${deep}"/>` +
  `<g transform="translate(24 24) scale(${scale}) translate(-24 -23.5)">${mark(white, deep)}</g></svg>`
const bare = (size) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 48 48">${mark(gulf, white)}</svg>`

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
async function png(svg, size) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  await page.setContent(`<style>*{margin:0}svg{display:block}</style>${svg}`)
  const image = await page.screenshot({ omitBackground: true })
  await page.close()
  return image
}
const save = (name, content) => writeFileSync(resolve(publicFolder, name), content)

save('icon-192.png', await png(square(192, 0.78), 192))
save('icon-512.png', await png(square(512, 0.78), 512))
save('icon-maskable-512.png', await png(square(512, 0.6), 512))
save('apple-touch-icon.png', await png(square(180, 0.72), 180))
save(
  'favicon.svg',
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><style>@media (prefers-color-scheme:dark){.b{fill:${white}}.p{fill:${deep}}}</style>` +
    `<path class="b" d="${drop}" fill="${gulf}"/><path d="${sea}" fill="${aqua}"/><circle class="p" cx="20.5" cy="21" r="3.2" fill="${white}"/></svg>`,
)
const small = await png(bare(32), 32)
// An .ico of one PNG: header, one entry, image.
const head = Buffer.alloc(22)
head.writeUInt16LE(1, 2)
head.writeUInt16LE(1, 4)
head.writeUInt8(32, 6)
head.writeUInt8(32, 7)
head.writeUInt16LE(1, 10)
head.writeUInt16LE(32, 12)
head.writeUInt32LE(small.length, 14)
head.writeUInt32LE(22, 18)
save('favicon.ico', Buffer.concat([head, small]))
await browser.close()
