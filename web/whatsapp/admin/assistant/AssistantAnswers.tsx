import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { answerKeyOf, type BotAnswer, type BotFact, fillFacts, isVendorTopic } from '@qatra/contract/whatsapp/bot'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../../../lib/api-client.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { wholeList } from '../../../ui/admin/list/use-list.ts'
import { DataTable } from '../../../ui/admin/table/DataTable.tsx'
import type { Column } from '../../../ui/admin/table/table-columns.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { AnswerDialog } from './AnswerDialog.tsx'
import { valuesOf } from './answer-facts.ts'
import { answersQuery, questionOf } from './assistant-words.ts'

/** The answers as they are sent now; a press opens one. */
export function AssistantAnswers() {
  const { t, lang } = useLanguage()
  const query = useQuery(read(answersQuery))
  const [open, setOpen] = useState<string | null>(null)
  const { answers, facts = [], vendorFacts = [] } = query.data ?? {}
  const factsOfAnswer = ({ key }: BotAnswer): readonly BotFact[] =>
    isVendorTopic(answerKeyOf(key)) ? vendorFacts : facts
  const textOf = (answer: BotAnswer) => fillFacts(answer[lang], valuesOf(factsOfAnswer(answer), lang)) ?? answer[lang]
  const stateOf = ({ isDefault, changedBy, changedAt }: BotAnswer) =>
    isDefault || changedAt === null
      ? t('assistant.answer.default')
      : t('assistant.answer.changed', {
          name: changedBy ?? t('assistant.answer.office'),
          when: formatDateTime(new Date(changedAt), lang),
        })
  const columns: Column<BotAnswer>[] = [
    {
      key: 'question',
      title: t('assistant.answer.question'),
      width: 250,
      cell: (answer) => <span className="block truncate font-strong">{questionOf(t, answer)}</span>,
    },
    {
      key: 'text',
      title: t('assistant.answer.text'),
      cell: (answer) => (
        <span dir="auto" className="line-clamp-2 whitespace-normal text-ink-2">
          {textOf(answer)}
        </span>
      ),
    },
    {
      key: 'state',
      title: t('assistant.answer.state'),
      width: 230,
      from: 'lg',
      cell: (answer) => <span className="block truncate text-ink-2">{stateOf(answer)}</span>,
    },
  ]
  const opened = answers?.find(({ key }) => key === open)
  return (
    <>
      <DataTable
        label={t('assistant.part.answers')}
        columns={columns}
        {...wholeList(query, answers).table}
        rowKey={({ key }) => key}
        rowLabel={(answer) => questionOf(t, answer)}
        onOpen={({ key }) => setOpen(key)}
        empty={<EmptyState title={t('assistant.part.answers')} />}
        cardLines={3}
        renderCard={(answer) => (
          <div className="grid gap-1">
            <span className="font-strong">{questionOf(t, answer)}</span>
            <p dir="auto" className="line-clamp-2 text-ink-2">
              {textOf(answer)}
            </p>
            <span className="text-caption text-ink-3">{stateOf(answer)}</span>
          </div>
        )}
      />
      {opened && (
        <AnswerDialog key={opened.key} answer={opened} facts={factsOfAnswer(opened)} onClose={() => setOpen(null)} />
      )}
    </>
  )
}
