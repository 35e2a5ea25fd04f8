import { describe, expect, it } from 'vitest'
import {
  componentsOf,
  type DraftButton,
  problemsOfTemplate,
  type TemplateDraft,
  whyNotDeleted,
  whyNotEdited,
} from './template-rules.ts'

const offer: TemplateDraft = {
  name: 'weekly_offer',
  language: 'ar',
  category: 'MARKETING',
  headerFormat: 'TEXT',
  header: '',
  headerSample: '',
  body: 'مرحبًا {{1}}، عرض هذا الأسبوع: {{2}}. التوصيل إلى باب بيتك.',
  samples: ['نورة', 'كرتون ثانٍ بنصف السعر'],
  footer: 'لإيقاف العروض أرسل: إيقاف',
  buttons: [],
}
const button = (part: Partial<DraftButton>): DraftButton => ({
  type: 'QUICK_REPLY',
  text: 'Yes',
  value: '',
  sample: '',
  ...part,
})
const link = (value: string, sample = '') => button({ type: 'URL', text: value, value, sample })

describe('a new template', () => {
  it('that follows the rules has no problem, in both languages', () => {
    expect(problemsOfTemplate(offer)).toEqual({})
    const english = { language: 'en' as const, body: 'Hello {{1}}, this week {{2}}. Delivered to your door.' }
    expect(problemsOfTemplate({ ...offer, ...english, footer: 'Send STOP to get no more offers' })).toEqual({})
  })

  it.each<[string, Partial<TemplateDraft>, string, string]>([
    ['with a name in capitals', { name: 'Weekly' }, 'name', 'name'],
    ['with an Arabic name', { name: 'عرض' }, 'name', 'name'],
    ['without words', { body: ' ', samples: [] }, 'body', 'missing'],
    ['of 1025 characters', { body: 'ا'.repeat(1025), samples: [] }, 'body', 'too-long'],
    ['with a brace too few', { body: 'مرحبا {{1} بكم اليوم', samples: [] }, 'body', 'braces'],
    ['with a number left out', { body: 'مرحبًا {{1}} من بيت {{3}} إلى بيتك اليوم' }, 'body', 'numbering'],
    ['with a named gap', { body: 'مرحبًا {{name}} من بيتنا' }, 'body', 'numbering'],
    ['that begins with a gap', { body: '{{1}} مرحبًا بك اليوم عندنا' }, 'body', 'at-end'],
    ['that ends with a gap and a full stop', { body: 'مرحبًا بك اليوم يا {{1}}.' }, 'body', 'at-end'],
    ['with two gaps side by side', { body: 'عرض اليوم هو {{1}}، {{2}} لكم عندنا' }, 'body', 'adjacent'],
    ['with many gaps in few words', { body: 'من {{1}} إلى {{2}} اليوم' }, 'body', 'too-many-variables'],
    ['with two empty lines', { body: 'أهلًا\n\n\nبكم', samples: [] }, 'body', 'line-breaks'],
    ['with a shortened link', { body: 'عرضنا على bit.ly/abc اليوم', samples: [] }, 'body', 'short-link'],
    ['without a sample', { samples: ['نورة'] }, 'samples.1', 'sample'],
    ['with a heading of 61', { header: 'ا'.repeat(61) }, 'header', 'too-long'],
    ['with an emoji in the heading', { header: 'عرض 💧' }, 'header', 'emoji'],
    ['with a star in the heading', { header: '*عرض*' }, 'header', 'formatting'],
    ['with a heading of two lines', { header: 'عرض\nاليوم' }, 'header', 'one-line'],
    ['with two gaps in the heading', { header: '{{1}} و {{2}}', headerSample: 'أ' }, 'header', 'one-variable'],
    ['without the heading’s sample', { header: 'عرض {{1}}' }, 'headerSample', 'sample'],
    ['with a picture, whose file is missing', { headerFormat: 'IMAGE' }, 'headerSample', 'file'],
    ['with a gap in the footer', { footer: 'إيقاف {{1}}' }, 'footer', 'no-variables'],
    ['with a footer of 61', { footer: `إيقاف ${'ا'.repeat(55)}` }, 'footer', 'too-long'],
    ['of marketing without a way to stop', { footer: 'مياه قطرة' }, 'footer', 'opt-out'],
    ['with a stop word within another word', { footer: 'Nonstop offers' }, 'footer', 'opt-out'],
    ['with a long button', { buttons: [button({ text: 'x'.repeat(26) })] }, 'buttons.0.text', 'too-long'],
    ['with the same button twice', { buttons: [button({}), button({})] }, 'buttons.1.text', 'repeated'],
    ['with a plain http link', { buttons: [link('http://qatra.example')] }, 'buttons.0.value', 'address'],
    [
      'with a gap within a link',
      { buttons: [link('https://a.example/{{1}}/b', 'x')] },
      'buttons.0.value',
      'address-variable',
    ],
    ['with a link without its sample', { buttons: [link('https://a.example/{{1}}')] }, 'buttons.0.sample', 'sample'],
    ['with a link to wa.me', { buttons: [link('https://wa.me/97317000000')] }, 'buttons.0.value', 'short-link'],
    [
      'with three links',
      { buttons: ['a', 'b', 'c'].map((one) => link(`https://${one}.example`)) },
      'buttons',
      'too-many-of-kind',
    ],
    [
      'with replies around a link',
      { buttons: [button({}), link('https://a.example'), button({ text: 'No' })] },
      'buttons',
      'grouping',
    ],
    [
      'with a local number',
      { buttons: [button({ type: 'PHONE_NUMBER', value: '17000000' })] },
      'buttons.0.value',
      'phone',
    ],
    [
      'with a code of 16',
      { buttons: [button({ type: 'COPY_CODE', value: 'A'.repeat(16) })] },
      'buttons.0.value',
      'code',
    ],
    [
      'for service with a code to copy',
      { category: 'UTILITY', buttons: [button({ type: 'COPY_CODE', value: 'A1' })] },
      'buttons',
      'not-for-service',
    ],
  ])('%s is refused at its field', (_, change, field, problem) => {
    expect(problemsOfTemplate({ ...offer, ...change })).toMatchObject({ [field]: problem })
  })

  it('for service needs no way to stop, and a reply that stops is one for marketing', () => {
    expect(problemsOfTemplate({ ...offer, category: 'UTILITY', footer: '' })).toEqual({})
    expect(problemsOfTemplate({ ...offer, footer: '', buttons: [button({ text: 'إيقاف العروض' })] })).toEqual({})
  })

  it('has Meta’s format, with the sample of a link as a whole address', () => {
    const draft = {
      ...offer,
      header: 'عرض {{1}}',
      headerSample: 'الشتاء',
      buttons: [link('https://a.example/{{1}}', 'x')],
    }
    expect(componentsOf(draft)).toEqual([
      { type: 'HEADER', format: 'TEXT', text: 'عرض {{1}}', example: { header_text: ['الشتاء'] } },
      { type: 'BODY', text: offer.body, example: { body_text: [offer.samples] } },
      { type: 'FOOTER', text: offer.footer },
      {
        type: 'BUTTONS',
        buttons: [
          {
            type: 'URL',
            text: 'https://a.example/{{1}}',
            url: 'https://a.example/{{1}}',
            example: ['https://a.example/x'],
          },
        ],
      },
    ])
  })
})

describe('a template with a file above it', () => {
  it('names the uploaded sample, and no text that was written before', () => {
    const draft = { ...offer, headerFormat: 'DOCUMENT' as const, header: 'عرض', headerSample: '4::a:b' }
    expect(problemsOfTemplate(draft)).toEqual({})
    expect(componentsOf(draft)[0]).toEqual({
      type: 'HEADER',
      format: 'DOCUMENT',
      example: { header_handle: ['4::a:b'] },
    })
  })
})

describe('a known template', () => {
  const now = new Date('2026-11-30T08:00:00Z')
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

  it('is edited once a day and ten times a month if it is approved, otherwise without a limit', () => {
    expect(whyNotEdited('PENDING', [], now)).toBe('status')
    expect(whyNotEdited('APPROVED', [], now)).toBeNull()
    expect(whyNotEdited('APPROVED', [daysAgo(0.5)], now)).toBe('edits')
    expect(whyNotEdited('APPROVED', [daysAgo(1.1)], now)).toBeNull()
    const ten = Array.from({ length: 10 }, (_, at) => daysAgo(2 + at))
    expect([whyNotEdited('APPROVED', ten, now), whyNotEdited('REJECTED', ten, now)]).toEqual(['edits', null])
  })

  it('is deleted unless it is disabled or gone', () => {
    expect(['APPROVED', 'PENDING', 'DISABLED', 'DELETED'].map(whyNotDeleted)).toEqual([null, null, 'status', 'status'])
  })
})
