import { isFilePart, longestValue, type TemplatePart } from '@qatra/contract/whatsapp/templates/template-values'
import { useT } from '../../../lib/language/i18n.tsx'
import { SelectField } from '../../../ui/admin/form/fields.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { HeaderFile, HeadingField } from './HeaderFile.tsx'
import { keyOf, preview, type TemplateChoice } from './template-choice.ts'

/** Selects an approved template, fills its variables and shows a preview. */
export function TemplateFields({ choice }: { choice: TemplateChoice }) {
  const t = useT()
  const { query, all, template, values } = choice
  if (query.error) {
    return (
      <p role="alert" className="text-clay">
        {t('admin.failed')}
      </p>
    )
  }
  if (!query.data) return <Skeleton className="h-12 w-full" />
  if (!template) return <p>{t('inbox.template.none')}</p>
  const labelOf = ({ part, label }: (typeof template.variables)[number]) =>
    part === 'body' ? t('inbox.template.gap', { number: label }) : t(`inbox.template.${part}Gap`, { name: label })
  const errorAt = (at: number, part: TemplatePart) => {
    const problem = choice.problem(at)
    if (problem === null) return undefined
    return problem === 'too-long'
      ? t('inbox.template.tooLong', { count: longestValue[part] })
      : t(`inbox.template.${problem}`)
  }
  const file = template.variables.findIndex(({ part }) => isFilePart(part))
  return (
    <>
      <SelectField
        label={t('inbox.template')}
        value={keyOf(template)}
        options={all.map((one) => ({
          value: keyOf(one),
          label: `${one.name} · ${one.language.startsWith('ar') ? t('inbox.language.ar') : t('inbox.language.en')}`,
        }))}
        onChange={choice.choose}
      />
      {template.variables.map((variable, at) => {
        const { part, example } = variable
        const field = { label: labelOf(variable), value: values[at] ?? '', error: errorAt(at, part) }
        // Variables of a template differ only by their index.
        const key = `${keyOf(template)} ${at}`
        if (isFilePart(part))
          return <HeadingField key={key} {...field} part={part} onChange={(url) => choice.fill(at, url)} />
        return (
          <TextField
            key={key}
            {...field}
            dir={part === 'code' ? 'ltr' : 'auto'}
            maxLength={longestValue[part]}
            hint={example ? t('inbox.template.example', { example }) : undefined}
            onChange={({ target }) => choice.fill(at, target.value)}
          />
        )
      })}
      <figure className="rounded-m bg-well px-4 py-3">
        <figcaption className="mb-1.5 text-caption text-ink-3">{t('inbox.template.preview')}</figcaption>
        {template.variables[file] && <HeaderFile part={template.variables[file].part} address={values[file] ?? ''} />}
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
    </>
  )
}
