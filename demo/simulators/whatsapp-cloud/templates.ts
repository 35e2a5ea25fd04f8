import { neededTemplates } from '../../../server/order-messages/needed-templates.ts'
import type { GraphTemplate, NewTemplate } from './graph-account.ts'

const stop = { ar: 'لإيقاف العروض أرسل: إيقاف', en: 'Send STOP to get no more offers' } as const

function offer(
  language: 'ar' | 'en',
  name: string,
  { text, example, button }: { text: string; example?: readonly string[]; button?: { text: string; url: string } },
): NewTemplate {
  return {
    name,
    language,
    category: 'MARKETING',
    status: 'APPROVED',
    rejected_reason: 'NONE',
    components: [
      { type: 'BODY', text, ...(example ? { example: { body_text: [example] } } : {}) },
      { type: 'FOOTER', text: stop[language] },
      ...(button ? [{ type: 'BUTTONS', buttons: [{ type: 'URL', ...button }] }] : []),
    ],
  }
}

const link = (publicUrl: string) => `${publicUrl}/magic-login/{{1}}`

/** A coupon with a picture, a price list with names: every kind of value that staff can fill in. */
const rich: readonly NewTemplate[] = (['ar', 'en'] as const).flatMap((language) => {
  const isArabic = language === 'ar'
  const approved = { language, category: 'MARKETING', status: 'APPROVED', rejected_reason: 'NONE' }
  const named = (name: string, example: string) => ({
    example: { body_text_named_params: [{ param_name: name, example }] },
  })
  return [
    {
      ...approved,
      name: 'eid_coupon',
      components: [
        { type: 'HEADER', format: 'IMAGE' },
        {
          type: 'BODY',
          text: isArabic
            ? 'عيدكم مبارك {{first_name}}! خصم على طلبكم القادم بهذا الرمز.'
            : 'Eid Mubarak {{first_name}}! A discount on your next order with this code.',
          ...named('first_name', isArabic ? 'نورة' : 'Noora'),
        },
        { type: 'FOOTER', text: stop[language] },
        {
          type: 'BUTTONS',
          buttons: [{ type: 'COPY_CODE', text: isArabic ? 'نسخ الرمز' : 'Copy code', example: ['EID10'] }],
        },
      ],
    },
    {
      ...approved,
      name: 'price_list',
      components: [
        { type: 'HEADER', format: 'DOCUMENT' },
        {
          type: 'BODY',
          text: isArabic ? 'قائمة أسعار شهر {{month}} مرفقة.' : 'The price list of {{month}} is attached.',
          ...named('month', isArabic ? 'ديسمبر' : 'December'),
        },
      ],
    },
  ]
})

/** Offers of the simulated account: approved ones, one without variables, and some that may not be sent. */
const offers = (publicUrl: string): readonly NewTemplate[] => [
  offer('ar', 'water_reminder', { text: 'مرّ أسبوعان على آخر طلب. نوصّل الماء غدًا إلى باب بيتك.' }),
  offer('en', 'water_reminder', {
    text: 'It has been two weeks since your last order. Water can be at your door tomorrow.',
  }),
  offer('ar', 'weekly_offer', {
    text: 'مرحبًا {{1}}، عرض هذا الأسبوع: {{2}}. التوصيل إلى باب بيتك.',
    example: ['نورة', 'كرتون ثانٍ بنصف السعر'],
  }),
  offer('en', 'weekly_offer', {
    text: 'Hello {{1}}, this week: {{2}}. Delivered to your door.',
    example: ['Noora', 'the second carton at half price'],
  }),
  offer('ar', 'order_again', {
    text: 'مرحبًا {{1}}، اطلب ماءك المعتاد بلمسة واحدة.',
    example: ['نورة'],
    button: { text: 'اطلب الآن', url: link(publicUrl) },
  }),
  offer('en', 'order_again', {
    text: 'Hello {{1}}, order your usual water with one tap.',
    example: ['Noora'],
    button: { text: 'Order now', url: link(publicUrl) },
  }),
  { ...offer('ar', 'summer_sale', { text: 'عروض الصيف بدأت.' }), status: 'PAUSED' },
  {
    ...offer('en', 'free_water', { text: 'Free water for everybody!' }),
    status: 'REJECTED',
    rejected_reason: 'TAG_CONTENT_MISMATCH',
  },
  {
    ...offer('en', 'last_minutes', { text: 'Only until tonight.' }),
    components: [
      { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Until tonight', has_expiration: true } },
      { type: 'BODY', text: 'Only until tonight.' },
    ],
  },
  ...rich,
]

/** The account has all needed templates but those for sign-in codes, which can be submitted. */
export function simulatedTemplates(settings: { publicUrl: string; codeTemplate: string }): GraphTemplate[] {
  const approved = neededTemplates(settings)
    .filter(({ category }) => category === 'UTILITY')
    .map((one) => ({ ...one, status: 'APPROVED', rejected_reason: 'NONE' }))
  return [...offers(settings.publicUrl), ...approved].map((one, at) => ({
    id: String(594_425_479_261_000 + at),
    ...one,
  }))
}
