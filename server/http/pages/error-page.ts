import { dirOf, type Lang } from '@qatra/contract/lib/lang'
import { translatorFor } from '../../lib/translate.ts'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)

/** Depends on nothing that can fail: no data, script or stylesheet. */
export function errorPage(lang: Lang, status: number): string {
  const t = translatorFor(lang)
  const title = escapeHtml(t(status === 404 ? 'shell.title.notFound' : 'shell.error.title'))
  const hint = escapeHtml(t(status === 404 ? 'shell.notFound.hint' : 'shell.error.hint'))
  return (
    `<!doctype html><html lang="${lang}" dir="${dirOf(lang)}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">' +
    `<title>${title} · ${escapeHtml(t('shell.brand'))}</title></head><body><h1>${title}</h1><p>${hint}</p>` +
    `<p><a href="/">${escapeHtml(t('shell.notFound.home'))}</a></p></body></html>`
  )
}
