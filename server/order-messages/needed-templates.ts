import { type Lang, langs } from '@qatra/contract/lib/lang'
import { translatorFor } from '../lib/translate.ts'
import { type OrderTemplate, orderTemplates, orderTexts } from '../notifications/event-messages.ts'

/** A template as `POST /{account id}/message_templates` takes it. */
export interface NeededTemplate {
  name: string
  language: Lang
  category: 'UTILITY' | 'AUTHENTICATION'
  components: Record<string, unknown>[]
}

const CODE_MINUTES = 5

/** Meta writes the text of a sign-in code itself; WhatsApp lists the button as a URL. */
const signInCode = (language: Lang, name: string): NeededTemplate => ({
  name,
  language,
  category: 'AUTHENTICATION',
  components: [
    { type: 'BODY', add_security_recommendation: true },
    { type: 'FOOTER', code_expiration_minutes: CODE_MINUTES },
    {
      type: 'BUTTONS',
      buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: language === 'ar' ? 'نسخ الرمز' : 'Copy code' }],
    },
  ],
})

const ID = '4F7K-2M9Q-XT31-B8WD'
const examples = {
  ar: {
    vendor: 'هيرات',
    id: ID,
    day: 'الأحد 22 نوفمبر',
    total: '7.400 د.ب',
    amount: '7.400 د.ب نقدًا عند الاستلام',
    items: '3 × هيرات 500 مل',
    orders: '2',
    stops: '5',
    what: `طلب جديد ${ID}`,
    until: 'الأحد 22 نوفمبر 21:00',
  },
  en: {
    vendor: 'Hayrat',
    id: ID,
    day: 'Sunday 22 November',
    total: 'BHD 7.400',
    amount: 'BHD 7.400 in cash on delivery',
    items: '3 × Hayrat 500 ml',
    orders: '2',
    stops: '5',
    what: `New order ${ID}`,
    until: 'Sunday 22 November 21:00',
  },
} as const

interface Shape extends Pick<OrderTemplate, 'name' | 'replies' | 'hasDocument'> {
  variables: readonly (keyof typeof examples.en)[]
  text: string
  button?: { text: string; path: string }
}

const others: readonly Shape[] = [
  {
    name: 'orders_rescheduled',
    variables: ['orders', 'day'],
    text: 'news.template.rescheduled',
    button: { text: 'orders', path: '/orders' },
  },
  { name: 'staff_news', variables: ['what'], text: 'news.template.staff', button: { text: 'open', path: '/admin' } },
  {
    name: 'driver_orders',
    variables: ['stops'],
    text: 'news.template.driver',
    button: { text: 'open', path: '/admin/orders' },
  },
  {
    name: 'staff_invitation',
    variables: ['vendor'],
    text: 'news.template.invitation',
    button: { text: 'open', path: '/invitations' },
  },
  {
    name: 'login_link',
    variables: ['until'],
    text: 'news.template.link',
    button: { text: 'link', path: '/magic-login/{{1}}' },
  },
]

const ofOrders = orderTexts.map((text): Shape => {
  const { button, ...template } = orderTemplates[text]
  const key = `news.order.${text}` as const
  return { ...template, ...(button && { button: { text: button, path: '/orders/{{1}}' } }), text: key }
})

/** Without the last sentence if it ends with an address, which templates have no place for. */
function withoutLink(message: string): string {
  if (!message.endsWith('{url}')) return message
  return message.slice(0, Math.max(...['.', '!', '؟', '?'].map((mark) => message.lastIndexOf(mark))) + 1)
}

function templateIn(language: Lang, publicUrl: string, shape: Shape): NeededTemplate {
  const { name, variables, text, button, replies, hasDocument } = shape
  const t = translatorFor(language)
  const numbered = Object.fromEntries(variables.map((variable, at) => [variable, `{{${at + 1}}}`]))
  const body = withoutLink(t(text, { ...numbered, url: '{url}' }))
  const example = { body_text: [variables.map((variable) => examples[language][variable])] }
  const url = button && { text: t(`news.button.${button.text}`), url: `${publicUrl}${button.path}` }
  const titles = replies?.map((reply) => ({ type: 'QUICK_REPLY', text: t(`news.attempt.${reply}`) }))
  return {
    name,
    language,
    category: 'UTILITY',
    components: [
      ...(hasDocument ? [{ type: 'HEADER', format: 'DOCUMENT' }] : []),
      { type: 'BODY', text: body, example },
      ...(url ? [{ type: 'BUTTONS', buttons: [urlButton(url)] }] : []),
      ...(titles ? [{ type: 'BUTTONS', buttons: titles }] : []),
    ],
  }
}

/** Meta wants an example of an address with a variable. */
const urlButton = ({ text, url }: { text: string; url: string }) => ({
  type: 'URL',
  text,
  url,
  ...(url.includes('{{1}}') ? { example: [url.replace('{{1}}', '4F7K2M9QXT31B8WD')] } : {}),
})

/**
 * Templates that the shop sends, in both languages: sign-in codes, orders, links and staff. The one list of them; the
 * set-up page submits it. Their test applies Meta's rules (`simulator/whatsapp-cloud/template-rules.ts`).
 */
export const neededTemplates = ({
  publicUrl,
  codeTemplate,
}: {
  publicUrl: string
  codeTemplate: string
}): readonly NeededTemplate[] => [
  ...langs.map((language) => signInCode(language, codeTemplate)),
  ...[...ofOrders, ...others].flatMap((shape) => langs.map((language) => templateIn(language, publicUrl, shape))),
]

const hasFileHeader = (component: Record<string, unknown>) => component['format'] === 'DOCUMENT'

/** Whether Meta wants to see a file before it approves the template. */
export const needsSample = ({ components }: Pick<NeededTemplate, 'components'>) => components.some(hasFileHeader)

/** The template with the handle of an uploaded file as the sample of its header. */
export const withSample = <T extends Pick<NeededTemplate, 'components'>>(template: T, handle: string): T => ({
  ...template,
  components: template.components.map((one) =>
    hasFileHeader(one) ? { ...one, example: { header_handle: [handle] } } : one,
  ),
})
