import { fold } from '../../lib/text.ts'
import { parseUrl } from '../../lib/url.ts'
import { placeholdersOf } from './template-values.ts'

// Meta's rules for new templates: developers.facebook.com, "Template components", "Template management" and "Common
// rejection reasons", as read in November 2026.

export const templateKinds = ['MARKETING', 'UTILITY'] as const
/** A heading is one line of text, or a file. */
export const headerFormats = ['TEXT', 'IMAGE', 'DOCUMENT'] as const
export const buttonKinds = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE'] as const
export type ButtonKind = (typeof buttonKinds)[number]

export interface DraftButton {
  type: ButtonKind
  text: string
  /** Address, phone number or sample of the code, by the type. */
  value: string
  /** Sample of the address's variable. */
  sample: string
}

/** A template as its author writes it; empty texts are parts that it does not have. */
export interface TemplateDraft {
  name: string
  language: 'ar' | 'en'
  category: (typeof templateKinds)[number]
  headerFormat: (typeof headerFormats)[number]
  header: string
  /** Of the heading's variable, or the handle by which Meta knows the sample of its file. */
  headerSample: string
  body: string
  /** One for each variable. */
  samples: string[]
  footer: string
  buttons: DraftButton[]
}

/** In characters, and numbers of buttons. */
export const templateLimits = {
  name: 512,
  header: 60,
  body: 1024,
  footer: 60,
  button: 25,
  address: 2000,
  phone: 20,
  code: 15,
  sample: 200,
  buttons: 10,
} as const
const mostOf: Readonly<Record<ButtonKind, number>> = { QUICK_REPLY: 10, URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1 }

export const templateProblems = [
  'missing',
  'name',
  'too-long',
  'braces',
  'numbering',
  'at-end',
  'adjacent',
  'too-many-variables',
  'no-variables',
  'one-variable',
  'line-breaks',
  'one-line',
  'formatting',
  'emoji',
  'short-link',
  'sample',
  'file',
  'opt-out',
  'too-many-buttons',
  'too-many-of-kind',
  'not-for-service',
  'grouping',
  'repeated',
  'address',
  'address-variable',
  'phone',
  'code',
] as const
export type TemplateProblem = (typeof templateProblems)[number]
/** By the field that shows it: `body`, `samples.0`, `buttons.1.text`, or `buttons` for all of them. */
export type TemplateProblems = Partial<Record<string, TemplateProblem>>

/** Words that end the offers when a customer sends nothing else. */
export const stopWords = [
  'stop',
  'stop all',
  'stopall',
  'unsubscribe',
  'stop promotions',
  'stop offers',
  'opt out',
  'optout',
  'إيقاف',
  'ايقاف',
  'إلغاء الاشتراك',
  'الغاء الإشتراك',
  'ألغِ الاشتراك',
  'إيقاف العروض',
  'إيقاف الرسائل',
  'أوقف الرسائل',
  'وقف',
  'وقفوا الرسائل',
  'توقف',
] as const

/** Letters and digits of a text as single words. */
const wordsOf = (text: string) =>
  ` ${fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

/** Whether the text says by which word the offers end. */
const namesStopWord = (text: string) => stopWords.some((word) => wordsOf(text).includes(wordsOf(word)))

const variable = /\{\{[^{}]*\}\}/g
const variablesIn = (text: string) => text.match(variable) ?? []
/** Stands for a variable; from the private area of Unicode, so that no text has it. */
const MARK = '\ue000'
const shortener = /(?:^|[\s/.])(?:bit\.ly|tinyurl\.com|goo\.gl|t\.co|ow\.ly|is\.gd|cutt\.ly|rebrand\.ly|wa\.me)\//i
const emoji = /\p{Extended_Pictographic}/u

function problemOfVariables(text: string): TemplateProblem | null {
  if (/[{}]/.test(text.replace(variable, ''))) return 'braces'
  const names = placeholdersOf(text)
  if (names === null || names.some((name) => !/^\d+$/.test(name))) return 'numbering'
  return null
}

/** A header, footer or button, which is plain text in one line. */
function problemOfLine(text: string, limit: number): TemplateProblem | null {
  if (text.length > limit) return 'too-long'
  if (/[\r\n\t]/.test(text)) return 'one-line'
  return /[*_~`]/.test(text.replace(variable, '')) ? 'formatting' : null
}

function problemOfHeader(text: string): TemplateProblem | null {
  if (emoji.test(text)) return 'emoji'
  return (
    problemOfLine(text, templateLimits.header) ??
    problemOfVariables(text) ??
    (variablesIn(text).length > 1 ? 'one-variable' : null)
  )
}

function problemOfBody(text: string): TemplateProblem | null {
  if (text.trim() === '') return 'missing'
  if (text.length > templateLimits.body) return 'too-long'
  const broken = problemOfVariables(text)
  if (broken) return broken
  // Punctuation around a variable does not count as words.
  const bare = text.replace(variable, MARK).replace(/[^\p{L}\p{N}\ue000]/gu, '')
  if (bare.startsWith(MARK) || bare.endsWith(MARK)) return 'at-end'
  if (bare.includes(MARK + MARK)) return 'adjacent'
  const count = variablesIn(text).length
  const words = text.replace(variable, ' ').match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0
  if (count > 0 && words < 2 * count + 1) return 'too-many-variables'
  if (/\n\s*\n\s*\n/.test(text)) return 'line-breaks'
  return shortener.test(text) ? 'short-link' : null
}

function problemOfFooter(text: string): TemplateProblem | null {
  if (/[{}]/.test(text)) return 'no-variables'
  return problemOfLine(text, templateLimits.footer)
}

function problemOfValue({ type, value }: DraftButton): TemplateProblem | null {
  if (type === 'QUICK_REPLY') return null
  if (value.trim() === '') return 'missing'
  if (type === 'PHONE_NUMBER') return /^\+\d{7,19}$/.test(value) ? null : 'phone'
  if (type === 'COPY_CODE') return value.length <= templateLimits.code && /^[A-Za-z0-9]+$/.test(value) ? null : 'code'
  if (value.length > templateLimits.address) return 'too-long'
  const fixed = value.replace(/\{\{1\}\}$/, '')
  if (/[{}]/.test(fixed)) return 'address-variable'
  const url = parseUrl(fixed)
  if (!url || url.protocol !== 'https:' || /\s/.test(value)) return 'address'
  return shortener.test(` ${value}`) ? 'short-link' : null
}

const problemOfSample = (sample: string | undefined): TemplateProblem | null => {
  if (!sample?.trim() || /[{}\n]/.test(sample)) return 'sample'
  return sample.length > templateLimits.sample ? 'too-long' : null
}

function problemsOfButtons({ buttons, category }: TemplateDraft): TemplateProblems {
  const found: TemplateProblems = {}
  const note = (field: string, problem: TemplateProblem | null) => {
    if (problem !== null) found[field] ??= problem
  }
  for (const [at, button] of buttons.entries()) {
    const { type, text, value, sample } = button
    // Meta writes the words of a button that copies a code.
    if (type !== 'COPY_CODE') {
      note(`buttons.${at}.text`, text.trim() === '' ? 'missing' : problemOfLine(text, templateLimits.button))
      note(`buttons.${at}.text`, /[{}]/.test(text) ? 'no-variables' : emoji.test(text) ? 'emoji' : null)
      const isRepeated = buttons.slice(0, at).some((one) => one.text.trim() === text.trim())
      note(`buttons.${at}.text`, isRepeated ? 'repeated' : null)
    }
    note(`buttons.${at}.value`, problemOfValue(button))
    if (type === 'URL' && value.includes('{{1}}')) note(`buttons.${at}.sample`, problemOfSample(sample))
  }
  if (buttons.length > templateLimits.buttons) note('buttons', 'too-many-buttons')
  if (buttonKinds.some((kind) => buttons.filter(({ type }) => type === kind).length > mostOf[kind]))
    note('buttons', 'too-many-of-kind')
  if (category === 'UTILITY' && buttons.some(({ type }) => type === 'COPY_CODE')) note('buttons', 'not-for-service')
  // Quick replies stand together, before or after the others.
  const isReply = buttons.map(({ type }) => type === 'QUICK_REPLY')
  if (isReply.filter((one, at) => at > 0 && one !== isReply[at - 1]).length > 1) note('buttons', 'grouping')
  return found
}

/** What Meta would refuse, or customers would miss, by field; empty if the template may be submitted. */
export function problemsOfTemplate(draft: TemplateDraft): TemplateProblems {
  const { name, category, headerFormat, header, headerSample, body, samples, footer, buttons } = draft
  const found: TemplateProblems = {}
  const note = (field: string, problem: TemplateProblem | null) => {
    if (problem !== null) found[field] ??= problem
  }
  note('name', /^[a-z0-9_]{1,512}$/.test(name) ? null : 'name')
  const isText = headerFormat === 'TEXT'
  if (isText && header !== '') note('header', problemOfHeader(header))
  if (!isText) note('headerSample', headerSample === '' ? 'file' : null)
  else if (variablesIn(header).length > 0) note('headerSample', problemOfSample(headerSample))
  note('body', problemOfBody(body))
  for (const at of (placeholdersOf(body) ?? []).keys()) note(`samples.${at}`, problemOfSample(samples[at]))
  if (footer !== '') note('footer', problemOfFooter(footer))
  Object.assign(found, problemsOfButtons(draft))
  const isStop = ({ type, text }: DraftButton) =>
    type === 'QUICK_REPLY' && stopWords.some((word) => wordsOf(word) === wordsOf(text))
  const mayStop = namesStopWord(`${body} ${footer}`) || buttons.some(isStop)
  if (category === 'MARKETING' && !mayStop) note('footer', 'opt-out')
  return found
}

/** The draft in Meta's format. */
export function componentsOf(draft: TemplateDraft): Record<string, unknown>[] {
  const { headerFormat: format, header, headerSample, body, samples, footer, buttons } = draft
  const names = placeholdersOf(body) ?? []
  const ofHeader = variablesIn(header).length > 0 ? { example: { header_text: [headerSample] } } : {}
  const ofBody = names.length > 0 ? { example: { body_text: [names.map((_, at) => samples[at] ?? '')] } } : {}
  return [
    ...(format !== 'TEXT'
      ? [{ type: 'HEADER', format, example: { header_handle: [headerSample] } }]
      : header === ''
        ? []
        : [{ type: 'HEADER', format, text: header, ...ofHeader }]),
    { type: 'BODY', text: body, ...ofBody },
    ...(footer === '' ? [] : [{ type: 'FOOTER', text: footer }]),
    ...(buttons.length === 0 ? [] : [{ type: 'BUTTONS', buttons: buttons.map(buttonOf) }]),
  ]
}

function buttonOf({ type, text, value, sample }: DraftButton): Record<string, unknown> {
  if (type === 'COPY_CODE') return { type, example: value }
  if (type === 'PHONE_NUMBER') return { type, text, phone_number: value }
  if (type === 'QUICK_REPLY') return { type, text }
  return { type, text, url: value, ...(value.includes('{{1}}') ? { example: [value.replace('{{1}}', sample)] } : {}) }
}

/** States in which Meta lets a template be edited. */
const editable: readonly string[] = ['APPROVED', 'REJECTED', 'PAUSED']
const DAY_MS = 86_400_000
/** Of an approved template. */
const MOST_EDITS_IN_DAY = 1
const MOST_EDITS_IN_MONTH = 10

export const fixedReasons = [
  /** The shop sends it itself. */
  'needed',
  'status',
  'edits',
  /** It has parts that are not written here. */
  'parts',
  /** A campaign that is planned or runs sends it. */
  'campaign',
] as const
export type FixedReason = (typeof fixedReasons)[number]

/** Why Meta would refuse an edit now; null if it would not. */
export function whyNotEdited(status: string, editedAt: readonly Date[], now: Date): FixedReason | null {
  if (!editable.includes(status)) return 'status'
  if (status !== 'APPROVED') return null
  const within = (days: number) => editedAt.filter((at) => at.getTime() > now.getTime() - days * DAY_MS).length
  return within(1) >= MOST_EDITS_IN_DAY || within(30) >= MOST_EDITS_IN_MONTH ? 'edits' : null
}

/** Meta deletes no disabled template, nor one that is gone. */
export const whyNotDeleted = (status: string): FixedReason | null =>
  ['DISABLED', 'DELETED', 'PENDING_DELETION'].includes(status) ? 'status' : null
