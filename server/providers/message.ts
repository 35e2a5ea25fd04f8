/**
 * Outgoing messages that all channels accept. The limits are Meta's; `problemOf` checks them, so that no message is
 * queued that the provider would reject.
 */
export type Outgoing =
  | { type: 'text'; text: string; hasPreview?: boolean; template?: TemplateMessage }
  | TemplateMessage
  | ListMessage
  | ButtonsMessage
  | { type: 'location-request'; text: string }
  | MediaMessage
  | LocationMessage
  | ReactionMessage

export interface TemplateMessage {
  type: 'template'
  name: string
  language: string
  /** Values of {{1}}, {{2}} … of the body, in order. */
  body: readonly string[]
  /** Names of the body's variables in the same order, if the template has names instead of numbers. */
  bodyNames?: readonly string[]
  header?:
    | { type: 'text'; text: string; name?: string }
    /** Of a file of the shop a path. */
    | { type: 'image' | 'video'; link: string }
    | { type: 'document'; link: string; filename?: string }
  /** Values of buttons with a variable: the suffix of a URL, the payload of a quick reply, or the code to copy. */
  buttons?: readonly { index: number; type: 'url' | 'quick_reply' | 'copy_code'; value: string }[]
  /** The text with values filled in, for the inbox and for channels without templates. */
  text: string
}

export interface ListMessage {
  type: 'list'
  text: string
  header?: string
  footer?: string
  /** Label of the button that opens the list. */
  button: string
  sections: readonly { title?: string; rows: readonly { id: string; title: string; description?: string }[] }[]
}

export interface ButtonsMessage {
  type: 'buttons'
  text: string
  header?: string
  footer?: string
  buttons: readonly { id: string; title: string }[]
  /** Sent instead if the provider says that the service window is closed; also of texts. */
  template?: TemplateMessage
}

export interface MediaMessage {
  type: 'image' | 'document' | 'video' | 'audio'
  /** Address from which the provider fetches the file; otherwise `file`. */
  link?: string
  /** A stored file, which the gateway gives to the provider. */
  file?: { sha256: string; mimeType: string }
  caption?: string
  filename?: string
  /** Recorded to be heard as a voice message. */
  isVoice?: boolean
  /** As of texts. */
  template?: TemplateMessage
}

export interface LocationMessage {
  type: 'location'
  lat: number
  lng: number
  name?: string
  address?: string
}

export interface ReactionMessage {
  type: 'reaction'
  /** Provider's id of the message. */
  messageId: string
  /** Empty to remove the reaction. */
  emoji: string
}

export const limits = {
  text: 4096,
  interactiveText: 1024,
  /** The body of a template with its values. */
  filled: 1024,
  listText: 4096,
  header: 60,
  footer: 60,
  listButton: 20,
  rows: 10,
  sections: 10,
  sectionTitle: 24,
  rowId: 200,
  rowTitle: 24,
  rowDescription: 72,
  buttons: 3,
  buttonId: 256,
  buttonTitle: 20,
  caption: 1024,
  variable: 1024,
  code: 20,
  emoji: 20,
} as const

type Text = readonly [name: string, text: string | undefined, most: number, mayBeEmpty?: boolean]

const tooLong = (texts: readonly Text[]): string | null => {
  for (const [name, text, most, mayBeEmpty] of texts) {
    if (text === undefined) continue
    if (!mayBeEmpty && text.trim() === '') return `${name} is empty`
    if (text.length > most) return `${name} is longer than ${most}`
  }
  return null
}

const isRepeated = (texts: readonly string[]) => new Set(texts).size < texts.length

/** Why Meta refuses rows or buttons beside each other (131009); the simulator asks the same. */
export function problemOfChoices(choices: readonly { id: string; title: string }[]): string | null {
  if (isRepeated(choices.map(({ id }) => id))) return 'two choices have one id'
  if (isRepeated(choices.map(({ title }) => title.trim()))) return 'two choices have one title'
  return choices.some(({ id }) => id !== id.trim()) ? 'an id has spaces at its ends' : null
}

/** Why the provider would reject the message; null if it is valid. */
export function problemOf(message: Outgoing): string | null {
  switch (message.type) {
    case 'text':
      return tooLong([['text', message.text, limits.text]])
    case 'location-request':
      return tooLong([['text', message.text, limits.interactiveText]])
    case 'template':
      return problemOfTemplate(message)
    case 'list':
      return problemOfList(message)
    case 'buttons':
      return problemOfButtons(message)
    case 'location':
      return Math.abs(message.lat) <= 90 && Math.abs(message.lng) <= 180 ? null : 'the place is not on the map'
    case 'reaction':
      return tooLong([['emoji', message.emoji, limits.emoji, true]])
    default:
      if (message.link === undefined && message.file === undefined) return 'there is no file'
      return tooLong([
        ['link', message.link, 2_000],
        ['caption', message.caption, limits.caption],
      ])
  }
}

function problemOfTemplate({ name, language, body, header, buttons = [] }: TemplateMessage): string | null {
  const variables = [...body, ...buttons.map(({ value }) => value)]
  // Meta rejects these in a variable.
  if (body.some((value) => /[\n\t]| {5,}/.test(value))) return 'a variable has a line break, a tab or many spaces'
  return tooLong([
    ['name', name, 512],
    ['language', language, 10],
    header?.type === 'text' ? ['header', header.text, limits.header] : ['header', header?.link, 2_000],
    ...variables.map((value): Text => ['variable', value, limits.variable]),
    ['filled body', body.join(''), limits.filled, true],
  ])
}

function problemOfList({ text, header, footer, button, sections }: ListMessage): string | null {
  const rows = sections.flatMap((section) => section.rows)
  if (rows.length === 0 || rows.length > limits.rows) return `a list has 1 to ${limits.rows} rows`
  if (sections.length > limits.sections || sections.some((section) => section.rows.length === 0))
    return `a list has 1 to ${limits.sections} sections, none of them empty`
  if (sections.length > 1 && sections.some(({ title }) => !title)) return 'sections beside each other have titles'
  return (
    problemOfChoices(rows) ??
    tooLong([
      ['text', text, limits.listText],
      ['header', header, limits.header],
      ['footer', footer, limits.footer],
      ['button', button, limits.listButton],
      ...sections.map(({ title }): Text => ['section', title, limits.sectionTitle]),
      ...rows.flatMap((row): Text[] => [
        ['row id', row.id, limits.rowId],
        ['row', row.title, limits.rowTitle],
        ['row description', row.description, limits.rowDescription, true],
      ]),
    ])
  )
}

function problemOfButtons({ text, header, footer, buttons }: ButtonsMessage): string | null {
  if (buttons.length === 0 || buttons.length > limits.buttons) return `there are 1 to ${limits.buttons} buttons`
  return (
    problemOfChoices(buttons) ??
    tooLong([
      ['text', text, limits.interactiveText],
      ['header', header, limits.header],
      ['footer', footer, limits.footer],
      ...buttons.flatMap((button): Text[] => [
        ['button id', button.id, limits.buttonId],
        ['button', button.title, limits.buttonTitle],
      ]),
    ])
  )
}

/** The message as plain text, for the inbox and for channels without lists and buttons. */
export function wordsOf(message: Outgoing): string {
  switch (message.type) {
    case 'list': {
      const rows = message.sections.flatMap((section) => section.rows)
      return [message.text, ...rows.map(({ title }) => `• ${title}`)].join('\n')
    }
    case 'buttons':
      return [message.text, ...message.buttons.map(({ title }) => `• ${title}`)].join('\n')
    case 'text':
    case 'template':
    case 'location-request':
      return message.text
    case 'location':
      return [message.name, message.address].filter(Boolean).join('، ') || `${message.lat},${message.lng}`
    case 'reaction':
      return message.emoji
    default:
      return message.caption ?? message.filename ?? ''
  }
}
