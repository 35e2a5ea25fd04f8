import type { Lang } from '@qatra/contract/lib/lang'

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

const arabic = {
  vendor: 'هيرات',
  order: '4F7K-2M9Q-XT31-B8WD',
  day: 'الأحد 22 نوفمبر',
  total: '7.400 د.ب',
  amount: '7.400 د.ب نقدًا عند الاستلام',
  items: '3 × هيرات 500 مل',
}
const english = {
  vendor: 'Hayrat',
  order: arabic.order,
  day: 'Sunday 22 November',
  total: 'BHD 7.400',
  amount: 'BHD 7.400 in cash on delivery',
  items: '3 × Hayrat 500 ml',
}

/**
 * Templates that the shop sends, in both languages: sign-in codes, orders, links and staff. The one list of them; the
 * set-up page submits it, and docs/operations.md has the English texts. Their test applies Meta's rules
 * (`simulator/whatsapp-cloud/template-rules.ts`).
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
  news('ar', 'order_new', {
    text: 'شكرًا لك! وصل طلبك {{2}} إلى {{1}}، وسيصلك يوم {{3}}. المبلغ {{4}}، ويسعدنا أن نخدمك.',
    example: [arabic.vendor, arabic.order, arabic.day, arabic.amount],
  }),
  news('en', 'order_new', {
    text: 'Thank you! {{1}} has your order {{2}}. It arrives on {{3}}, and the amount is {{4}}. See you soon!',
    example: [english.vendor, english.order, english.day, english.amount],
  }),
  news('ar', 'order_in_progress', {
    text: 'بدأت {{1}} تجهيز طلبك رقم {{2}}، وموعد وصوله يوم {{3}}. شكرًا لاختيارك قطرة.',
    example: [arabic.vendor, arabic.order, arabic.day],
  }),
  news('en', 'order_in_progress', {
    text: 'Good news: {{1}} is preparing your order {{2}}. It arrives on {{3}}. Thank you for choosing Qatra.',
    example: [english.vendor, english.order, english.day],
  }),
  news('ar', 'order_shipped', {
    text: 'خرج طلبك من {{2}}، ويصلك اليوم إن شاء الله. رقمه {{1}} إن احتجت إلينا.',
    example: [arabic.order, arabic.vendor],
  }),
  news('en', 'order_shipped', {
    text: 'Your order from {{2}} is on its way and should arrive today. Its number is {{1}}, if you need us.',
    example: [english.order, english.vendor],
  }),
  news('ar', 'order_delivered', {
    text: 'تم توصيل طلبك {{1}} من {{2}}. بالعافية!',
    example: [arabic.order, arabic.vendor],
    button: { text: 'الإيصال', url: `${publicUrl}/orders/{{1}}` },
  }),
  news('en', 'order_delivered', {
    text: 'Your order {{1}} from {{2}} was delivered. Enjoy it!',
    example: [english.order, english.vendor],
    button: { text: 'Receipt', url: `${publicUrl}/orders/{{1}}` },
  }),
  news('ar', 'order_delivered_partly', {
    text: 'تم توصيل جزء من طلبك {{1}} من {{2}}. وصلك: {{3}}، والإجمالي الآن {{4}} فقط. شكرًا لك!',
    example: [arabic.order, arabic.vendor, arabic.items, arabic.total],
    button: { text: 'الإيصال', url: `${publicUrl}/orders/{{1}}` },
  }),
  news('en', 'order_delivered_partly', {
    text: 'Part of your order {{1}} from {{2}} was delivered: {{3}}. The total is now {{4}}. Thank you!',
    example: [english.order, english.vendor, english.items, english.total],
    button: { text: 'Receipt', url: `${publicUrl}/orders/{{1}}` },
  }),
  news('ar', 'order_cancelled', {
    text: 'نُعلمك أن طلبك رقم {{1}} من {{2}} قد أُلغي. نحن هنا لأي سؤال.',
    example: [arabic.order, arabic.vendor],
  }),
  news('en', 'order_cancelled', {
    text: 'Your order {{1}} from {{2}} is cancelled. We are here for any question.',
    example: [english.order, english.vendor],
  }),
  news('ar', 'order_confirmation', {
    text: 'أكّدت {{1}} طلبك رقم {{2}}، وموعد وصوله يوم {{3}}، والمبلغ {{4}}. شكرًا لاختيارك قطرة.',
    example: [arabic.vendor, arabic.order, arabic.day, arabic.amount],
  }),
  news('en', 'order_confirmation', {
    text: 'Good news: {{1}} confirms your order {{2}}. It arrives on {{3}}, and the amount is {{4}}. Thank you for choosing Qatra.',
    example: [english.vendor, english.order, english.day, english.amount],
  }),
  news('ar', 'order_rescheduled', {
    text: 'تغيّر موعد توصيل طلبك رقم {{2}} من {{1}}، وسيصلك يوم {{3}} بدلًا من موعده السابق.',
    example: [arabic.vendor, arabic.order, arabic.day],
  }),
  news('en', 'order_rescheduled', {
    text: 'There is a new delivery day for your order {{2}} from {{1}}: it arrives on {{3}} instead.',
    example: [english.vendor, english.order, english.day],
  }),
  news('ar', 'orders_rescheduled', {
    text: 'تغيّرت مواعيد طلباتك، وعددها {{1}}، وأقربها يوم {{2}}. تجد التفاصيل في طلباتي.',
    example: ['2', arabic.day],
    button: { text: 'طلباتي', url: `${publicUrl}/orders` },
  }),
  news('en', 'orders_rescheduled', {
    text: 'New delivery days for your orders, {{1}} in number. The first arrives on {{2}}. My orders has all of them.',
    example: ['2', english.day],
    button: { text: 'My orders', url: `${publicUrl}/orders` },
  }),
  news('ar', 'order_edited', {
    text: 'عُدّل طلبك رقم {{2}} من {{1}}، وصار المبلغ {{3}}. شكرًا لك!',
    example: [arabic.vendor, arabic.order, arabic.amount],
  }),
  news('en', 'order_edited', {
    text: 'Your order {{2}} from {{1}} was changed. The amount is now {{3}}. Thank you!',
    example: [english.vendor, english.order, english.amount],
  }),
  news('ar', 'order_address_changed', {
    text: 'غيّرنا عنوان توصيل طلبك رقم {{2}} من {{1}}، وسنوصّله إلى العنوان الجديد.',
    example: [arabic.vendor, arabic.order],
  }),
  news('en', 'order_address_changed', {
    text: 'The address of your order {{2}} from {{1}} was changed. It will come to the new address.',
    example: [english.vendor, english.order],
  }),
  news('ar', 'order_attempted', {
    text: 'وصل السائق بطلبك {{1}} من {{2}}، ولم نتمكن من تسليمه. هل نوصّله يوم {{3}} إن كان يناسبك؟',
    example: [arabic.order, arabic.vendor, arabic.day],
    replies: ['نعم، وصّلوه', 'اتصلوا بي'],
  }),
  news('en', 'order_attempted', {
    text: 'Our driver came with your order {{1}} from {{2}} but could not deliver it. Shall we come on {{3}} instead?',
    example: [english.order, english.vendor, english.day],
    replies: ['Yes, come then', 'Call me'],
  }),
  news('ar', 'order_receipt', {
    text: 'تجد في المرفق إيصال طلبك رقم {{1}} من {{2}}، مع الشكر.',
    example: [arabic.order, arabic.vendor],
    hasDocument: true,
  }),
  news('en', 'order_receipt', {
    text: 'The receipt of your order {{1}} from {{2}} is attached. Thank you!',
    example: [english.order, english.vendor],
    hasDocument: true,
  }),
  news('ar', 'staff_news', {
    text: 'لديك جديد في المكتب: {{1}}. افتح المكتب للتفاصيل.',
    example: [`طلب جديد ${arabic.order}`],
    button: { text: 'فتح', url: `${publicUrl}/admin` },
  }),
  news('en', 'staff_news', {
    text: 'News for you at the office: {{1}}. Open the office to see it.',
    example: [`New order ${english.order}`],
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
    example: [arabic.vendor],
    button: { text: 'فتح', url: `${publicUrl}/invitations` },
  }),
  news('en', 'staff_invitation', {
    text: 'Hello! {{1}} invites you to work with them on Qatra.',
    example: [english.vendor],
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
