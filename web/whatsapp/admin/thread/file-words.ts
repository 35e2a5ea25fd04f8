import type { Translate } from '../../../lib/language/i18n.tsx'

const KB = 1024

/** Whole kilobytes, or megabytes with one decimal. */
export function fileSize(bytes: number, t: Translate): string {
  if (bytes < 1000 * KB) return t('inbox.file.kb', { size: Math.max(1, Math.round(bytes / KB)) })
  return t('inbox.file.mb', { size: Math.round((bytes / KB / KB) * 10) / 10 })
}

/** `0:07`, `12:30`, `1:02:03`. */
export function playTime(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}
