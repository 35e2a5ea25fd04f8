import type { Page } from '../app/page.ts'
import { type Translate, useT } from '../lib/language/i18n.tsx'
import { DownIcon } from '../ui/icons.tsx'
import { Prose } from './Prose.tsx'

const questions = (t: Translate) =>
  [
    [t('faqs.q1'), t('faqs.a1')],
    [t('faqs.q2'), t('faqs.a2')],
    [t('faqs.q3'), t('faqs.a3')],
    [t('faqs.q4'), t('faqs.a4')],
    [t('faqs.q5'), t('faqs.a5')],
    [t('faqs.q6'), t('faqs.a6')],
    [t('faqs.q7'), t('faqs.a7')],
    [t('faqs.q8'), t('faqs.a8')],
    [t('faqs.q9'), t('faqs.a9')],
  ] as const

function FaqsPage() {
  const t = useT()
  return (
    <Prose title={t('faqs.title')}>
      <div className="mt-4">
        {questions(t).map(([question, answer]) => (
          <details key={question} className="group border-b border-line">
            <summary className="flex min-h-14 list-none items-center justify-between gap-3 rounded-m py-2 font-strong [&::-webkit-details-marker]:hidden">
              {question}
              <DownIcon
                size={20}
                aria-hidden="true"
                className="text-aqua-ink transition-transform duration-200 group-open:rotate-180"
              />
            </summary>
            <p className="pb-4 text-ink-2">{answer}</p>
          </details>
        ))}
      </div>
    </Prose>
  )
}

export const page: Page = {
  Component: FaqsPage,
  head: ({ t }) => ({
    title: t('faqs.title'),
    description: t('faqs.description'),
    jsonLd: {
      '@context': 'https://schema.org',
      '@type': 'FAQPage',
      mainEntity: questions(t).map(([name, text]) => ({
        '@type': 'Question',
        name,
        acceptedAnswer: { '@type': 'Answer', text },
      })),
    },
  }),
}
