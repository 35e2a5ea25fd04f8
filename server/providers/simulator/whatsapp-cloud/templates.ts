import type { GraphTemplate, NewTemplate } from './graph-api.ts'
import { orderTemplates } from './order-templates.ts'

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

/** Templates of the simulated account: approved ones, one without variables, and two that may not be sent. */
const newTemplates = (publicUrl: string): readonly NewTemplate[] => [
  offer('ar', 'water_reminder', { text: 'مر أسبوعان على آخر طلب. نوصل لك الماء غدًا إلى باب بيتك.' }),
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
    rejected_reason: 'PROMOTIONAL',
  },
  ...orderTemplates(publicUrl),
]

export const simulatedTemplates = (publicUrl: string): readonly GraphTemplate[] =>
  newTemplates(publicUrl).map((one, at) => ({ id: String(594_425_479_261_000 + at), ...one }))
