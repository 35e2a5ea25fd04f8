import type { ReplyTemplate } from '@qatra/contract/whatsapp-desk'
import type { ConversationDetail } from '@qatra/contract/whatsapp-inbox'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLanguage } from '../../app/i18n.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { SelectField } from '../../ui/office/fields.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { languageOf } from './CannedSuggestions.tsx'
import { templatesQuery } from './inbox-cache.ts'
import { send } from './outbox.ts'

const keyOf = ({ name, language }: ReplyTemplate) => `${name} ${language}`

/** The words with what is filled in so far; what is open stays as {{1}}. */
function preview(template: ReplyTemplate, values: readonly string[]): string {
  const of = (part: 'body' | 'header') =>
    template.variables.flatMap((variable, at) => (variable.part === part ? [values[at] ?? ''] : []))
  const put = (text: string, filled: readonly string[]) =>
    text.replace(/\{\{\s*(\d+)\s*\}\}/g, (whole, number: string) => filled[Number(number) - 1]?.trim() || whole)
  return [template.header && put(template.header, of('header')), put(template.body, of('body')), template.footer]
    .filter(Boolean)
    .join('\n\n')
}

/** An approved template, its gaps, and how it will read. */
export function TemplateDialog({ detail, onClose }: { detail: ConversationDetail; onClose(): void }) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const query = useQuery(templatesQuery())
  const [chosen, setChosen] = useState<string | null>(null)
  const [values, setValues] = useState<string[]>([])
  const [isAsked, setAsked] = useState(false)
  const to = languageOf(detail, lang)
  const isOut = detail.optedOutAt !== null
  const all = (query.data ?? [])
    .filter(({ category }) => !(isOut && category === 'MARKETING'))
    // Those in the customer's language stand first.
    .sort((a, b) => Number(b.language.startsWith(to)) - Number(a.language.startsWith(to)))
  const template = all.find((one) => keyOf(one) === chosen) ?? all[0]
  const missing = (at: number) => isAsked && (values[at] ?? '').trim() === ''
  function submit() {
    if (!template) return
    const filled = template.variables.map((_, at) => (values[at] ?? '').trim())
    if (filled.includes('')) return setAsked(true)
    const { name, language } = template
    send(queries, {
      contactId: detail.contactId,
      reply: { template: { name, language, variables: filled } },
      text: preview(template, filled),
    })
    onClose()
  }
  const labelOf = ({ part, label }: ReplyTemplate['variables'][number]) =>
    part === 'body'
      ? t('inbox.template.gap', { number: label })
      : t(part === 'header' ? 'inbox.template.headerGap' : 'inbox.template.buttonGap', { name: label })
  return (
    <Dialog
      open
      title={t('inbox.template.choose')}
      className="max-w-130"
      safe={{ label: t('office.cancel'), onChoose: onClose }}
      {...(template ? { act: { label: t('inbox.template.send'), onChoose: submit } } : {})}
    >
      {query.error && (
        <p role="alert" className="text-clay">
          {t('office.failed')}
        </p>
      )}
      {!query.data && !query.error && <Skeleton className="mt-3 h-12 w-full" />}
      {query.data && !template && <p className="mt-2">{t('inbox.template.none')}</p>}
      {template && (
        <div className="mt-3 grid max-h-[55dvh] gap-3.5 overflow-y-auto p-0.5 text-ink">
          <SelectField
            label={t('inbox.template')}
            value={keyOf(template)}
            options={all.map((one) => ({
              value: keyOf(one),
              label: `${one.name} · ${one.language.startsWith('ar') ? t('inbox.language.ar') : t('inbox.language.en')}`,
            }))}
            onChange={(next) => {
              setChosen(next)
              setValues([])
              setAsked(false)
            }}
          />
          {template.variables.map((variable, at) => (
            <TextField
              // A template's gaps are told apart by their place alone.
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              key={`${keyOf(template)} ${at}`}
              label={labelOf(variable)}
              dir="auto"
              maxLength={1024}
              value={values[at] ?? ''}
              hint={variable.example ? t('inbox.template.example', { example: variable.example }) : undefined}
              error={missing(at) ? t('inbox.template.missing') : undefined}
              onChange={({ target }) => {
                const next = template.variables.map((_, n) => (n === at ? target.value : (values[n] ?? '')))
                setValues(next)
              }}
            />
          ))}
          <figure className="rounded-m bg-well px-4 py-3">
            <figcaption className="mb-1.5 text-caption text-ink-3">{t('inbox.template.preview')}</figcaption>
            <p
              dir="auto"
              className="rounded-[14px] rounded-se-[4px] bg-surface px-3.5 py-2.25 whitespace-pre-wrap wrap-break-word"
            >
              {preview(template, values)}
            </p>
            {template.buttons.length > 0 && (
              <p className="mt-2 flex flex-wrap gap-1.5">
                {template.buttons.map((label) => (
                  <bdi key={label} className="rounded-s bg-surface px-2 py-0.5 text-aqua-ink">
                    {label}
                  </bdi>
                ))}
              </p>
            )}
          </figure>
        </div>
      )}
    </Dialog>
  )
}
