import { type Lang, langs } from '@qatra/contract/lib/lang'
import type { OrderText } from '../jobs/queues.ts'
import { translatorFor } from '../lib/translate.ts'
import { orderTemplates, orderTexts } from '../notifications/event-messages.ts'

/** A template as `POST /{account id}/message_templates` takes it. */
export interface NeededTemplate {
  name: string
  language: Lang
  category: 'UTILITY' | 'AUTHENTICATION'
  components: Record<string, unknown>[]
}

interface Words {
  text: string
  example: readonly string[]
  button?: { text: string; url: string }
  /** Titles of quick replies. */
  replies?: readonly string[]
  /** Begins with a file. */
  hasDocument?: boolean
}

/** Meta wants an example of an address with a variable. */
const urlButton = ({ text, url }: { text: string; url: string }) => ({
  type: 'URL',
  text,
  url,
  ...(url.includes('{{1}}') ? { example: [url.replace('{{1}}', '4F7K2M9QXT31B8WD')] } : {}),
})

function news(language: Lang, name: string, { text, example, button, replies, hasDocument }: Words): NeededTemplate {
  return {
    name,
    language,
    category: 'UTILITY',
    components: [
      ...(hasDocument ? [{ type: 'HEADER', format: 'DOCUMENT' }] : []),
      { type: 'BODY', text, example: { body_text: [example] } },
      ...(button ? [{ type: 'BUTTONS', buttons: [urlButton(button)] }] : []),
      ...(replies
        ? [{ type: 'BUTTONS', buttons: replies.map((title) => ({ type: 'QUICK_REPLY', text: title })) }]
        : []),
    ],
  }
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

const examples = {
  ar: {
    vendor: 'هيرات',
    id: '4F7K-2M9Q-XT31-B8WD',
    day: 'الأحد 22 نوفمبر',
    total: '7.400 د.ب',
    amount: '7.400 د.ب نقدًا عند الاستلام',
    items: '3 × هيرات 500 مل',
  },
  en: {
    vendor: 'Hayrat',
    id: '4F7K-2M9Q-XT31-B8WD',
    day: 'Sunday 22 November',
    total: 'BHD 7.400',
    amount: 'BHD 7.400 in cash on delivery',
    items: '3 × Hayrat 500 ml',
  },
} as const

/** The last sentence of a text with an address, which templates have no place for. */
const linkAtEnd = / [^.!؟?]*\{url\}$/

/** An order's template: the text of its message, without the address. */
function orderTemplate(language: Lang, text: OrderText, publicUrl: string): NeededTemplate {
  const { name, variables, hasReceipt, replies, hasDocument } = orderTemplates[text]
  const t = translatorFor(language)
  const numbered = Object.fromEntries(variables.map((variable, at) => [variable, `{{${at + 1}}}`]))
  return news(language, name, {
    text: t(`news.order.${text}`, { ...numbered, url: '{url}' }).replace(linkAtEnd, ''),
    example: variables.map((variable) => examples[language][variable]),
    ...(hasReceipt ? { button: { text: t('news.button.receipt'), url: `${publicUrl}/orders/{{1}}` } } : {}),
    ...(replies ? { replies: replies.map((reply) => t(`news.attempt.${reply}`)) } : {}),
    ...(hasDocument ? { hasDocument } : {}),
  })
}

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
  signInCode('ar', codeTemplate),
  signInCode('en', codeTemplate),
  ...orderTexts.flatMap((text) => langs.map((language) => orderTemplate(language, text, publicUrl))),
  news('ar', 'orders_rescheduled', {
    text: 'تغيّرت مواعيد طلباتك، وعددها {{1}}، وأقربها يوم {{2}}. تجد التفاصيل في طلباتي.',
    example: ['2', examples.ar.day],
    button: { text: 'طلباتي', url: `${publicUrl}/orders` },
  }),
  news('en', 'orders_rescheduled', {
    text: 'New delivery days for your orders, {{1}} in number. The first arrives on {{2}}. My orders has all of them.',
    example: ['2', examples.en.day],
    button: { text: 'My orders', url: `${publicUrl}/orders` },
  }),
  news('ar', 'staff_news', {
    text: 'لديك جديد في المكتب: {{1}}. افتح المكتب للتفاصيل.',
    example: [`طلب جديد ${examples.ar.id}`],
    button: { text: 'فتح', url: `${publicUrl}/admin` },
  }),
  news('en', 'staff_news', {
    text: 'News for you at the office: {{1}}. Open the office to see it.',
    example: [`New order ${examples.en.id}`],
    button: { text: 'Open', url: `${publicUrl}/admin` },
  }),
  news('ar', 'driver_orders', {
    text: 'في قائمتك الآن {{1}} من الطلبات للتوصيل.',
    example: ['5'],
    button: { text: 'فتح', url: `${publicUrl}/admin/orders` },
  }),
  news('en', 'driver_orders', {
    text: 'Orders on your list: {{1}} to deliver.',
    example: ['5'],
    button: { text: 'Open', url: `${publicUrl}/admin/orders` },
  }),
  news('ar', 'staff_invitation', {
    text: 'دعتك {{1}} للعمل معها على قطرة.',
    example: [examples.ar.vendor],
    button: { text: 'فتح', url: `${publicUrl}/invitations` },
  }),
  news('en', 'staff_invitation', {
    text: 'Hello! {{1}} invites you to work with them on Qatra.',
    example: [examples.en.vendor],
    button: { text: 'Open', url: `${publicUrl}/invitations` },
  }),
  news('ar', 'login_link', {
    text: 'هذا الرابط يفتح حسابك في قطرة دون رمز. يعمل مرة واحدة حتى {{1}} ثم ينتهي.',
    example: ['الأحد 22 نوفمبر 21:00'],
    button: { text: 'افتح حسابي', url: `${publicUrl}/magic-login/{{1}}` },
  }),
  news('en', 'login_link', {
    text: 'This link opens your Qatra account without a code. It works once, until {{1}}, and then ends.',
    example: ['Sunday 22 November 21:00'],
    button: { text: 'Open my account', url: `${publicUrl}/magic-login/{{1}}` },
  }),
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
