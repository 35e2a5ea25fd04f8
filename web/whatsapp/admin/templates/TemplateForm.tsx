import {
  headerFormats,
  templateLimits as limits,
  type TemplateDraft,
  templateKinds,
} from '@qatra/contract/whatsapp/templates/template-rules'
import { placeholdersOf } from '@qatra/contract/whatsapp/templates/template-values'
import { SAMPLE_BYTES, type Template, uploadTemplateSample } from '@qatra/contract/whatsapp/templates/templates'
import { useId, useRef, useState } from 'react'
import { type CallError, detailsOf } from '../../../lib/api-client.ts'
import { type Translate, useT } from '../../../lib/language/i18n.tsx'
import { sendFile } from '../../../lib/send-file.ts'
import { useAction } from '../../../lib/use-action.ts'
import { AdminPageLayout } from '../../../ui/admin/AdminPageLayout.tsx'
import { FileDrop } from '../../../ui/admin/form/FileDrop.tsx'
import { Form } from '../../../ui/admin/form/Form.tsx'
import { Segmented } from '../../../ui/admin/Segmented.tsx'
import { Button } from '../../../ui/Button.tsx'
import { TextArea, TextField } from '../../../ui/Field.tsx'
import { PlusIcon } from '../../../ui/icons.tsx'
import { headingTypes } from './HeaderFile.tsx'
import { TemplateButtons } from './TemplateButtons.tsx'
import { TemplatePreview } from './TemplatePreview.tsx'
import { type TemplateForm as FormOf, previewOf, templateRefusal, useTemplateForm } from './template-form.ts'

interface TemplateFormProps {
  title: string
  start: TemplateDraft
  /** Of a template that is edited: its name and language stay, and the kind of an approved one. */
  edited?: Pick<Template, 'status'>
  save(draft: TemplateDraft): Promise<Template>
}

/** Writes a template beside what the customer will see, and submits it for Meta's review. */
export function TemplateForm({ title, start, edited, save }: TemplateFormProps) {
  const t = useT()
  const form = useTemplateForm(start, save)
  const { values, errors, busy } = form
  const [file, setFile] = useState<File | null>(null)
  return (
    <AdminPageLayout title={title}>
      <div className="grid items-start gap-x-10 gap-y-6 px-4 pb-10 md:px-6 desk:grid-cols-[minmax(0,1fr)_320px]">
        <Form form={form} label={title} className="min-w-0 max-w-180">
          <p className="text-ink-2">{t('templates.write.hint')}</p>
          <NameFields form={form} edited={edited} />
          <Heading form={form} file={file} onFile={setFile} />
          <Body form={form} />
          <TextField
            label={t('templates.write.footer')}
            hint={t('templates.write.footer.hint', { count: values.footer.length, limit: limits.footer })}
            {...form.text('footer')}
          />
          <TemplateButtons
            buttons={values.buttons}
            isOffer={values.category === 'MARKETING'}
            errors={errors}
            onChange={(buttons) => form.set({ buttons }, 'buttons', ...buttons.flatMap((_, at) => [`buttons.${at}`]))}
          />
          <div>
            <Button type="submit" tone="gulf" busy={busy}>
              {t('templates.write.send')}
            </Button>
          </div>
        </Form>
        <aside aria-label={t('templates.preview')} className="grid gap-2 desk:sticky desk:top-6">
          <h2 className="text-caption text-ink-3">{t('templates.preview')}</h2>
          <TemplatePreview template={previewOf(t, values)} fileName={file?.name} />
        </aside>
      </div>
    </AdminPageLayout>
  )
}

function NameFields({ form, edited }: { form: FormOf; edited: TemplateFormProps['edited'] }) {
  const t = useT()
  const { values } = form
  const isKindFixed = edited?.status === 'APPROVED'
  return (
    <>
      <TextField
        label={t('templates.write.name')}
        hint={edited ? undefined : t('templates.write.name.hint')}
        ltr
        autoCapitalize="none"
        spellCheck={false}
        readOnly={edited !== undefined}
        maxLength={limits.name}
        {...form.text('name')}
      />
      <div className="flex flex-wrap items-center gap-3">
        {edited === undefined && (
          <Segmented
            label={t('templates.language')}
            value={values.language}
            options={(['ar', 'en'] as const).map((value) => ({ value, label: t(`templates.language.${value}`) }))}
            onChange={(language) => {
              const isOwn = values.footer !== t(`templates.stop.${values.language}`)
              form.set(isOwn ? { language } : { language, footer: t(`templates.stop.${language}`) })
            }}
          />
        )}
        {isKindFixed ? (
          <span className="text-ink-2">{t('templates.write.fixedKind')}</span>
        ) : (
          <Segmented
            label={t('templates.category')}
            value={values.category}
            options={templateKinds.map((value) => ({ value, label: t(`templates.category.${value}`) }))}
            onChange={(category) => form.set({ category }, 'category', 'footer')}
          />
        )}
      </div>
    </>
  )
}

const kindWord = { TEXT: 'text', IMAGE: 'image', DOCUMENT: 'document' } as const

/** Why Meta did not get the sample of a heading. */
function sampleRefusal(t: Translate, error: CallError): string {
  const isSilent = error.code === 'META_REFUSED' && detailsOf(error, 'META_REFUSED').reason === null
  const code = isSilent ? 'UNAVAILABLE' : error.code
  const known = (['FILE_REFUSED', 'TOO_LARGE', 'UNAVAILABLE'] as const).find((one) => one === code)
  return known ? t(`templates.sample.${known}`) : (templateRefusal(t, error) ?? t('admin.form.error.other'))
}

/** A line of text, or a file whose sample Meta gets as soon as it is chosen. */
function Heading({ form, file, onFile }: { form: FormOf; file: File | null; onFile(file: File | null): void }) {
  const t = useT()
  const { values, errors } = form
  const { headerFormat: format } = values
  const { busy, problem, run } = useAction((error) => sampleRefusal(t, error))
  const take = (next: File | null) => {
    onFile(next)
    form.set({ headerSample: '' }, 'headerSample')
    if (!next) return
    void run(async () => {
      const sample = await sendFile(uploadTemplateSample, { file: next })
      // Another kind of heading may have been chosen meanwhile.
      form.set(
        ({ headerFormat: now }) => (now === sample.format ? { headerSample: sample.handle } : {}),
        'headerSample',
      )
    })
  }
  return (
    <div className="grid gap-2">
      <span aria-hidden="true" className="text-label font-strong">
        {t('templates.write.header.kind')}
      </span>
      <div>
        <Segmented
          label={t('templates.write.header.kind')}
          value={format}
          options={headerFormats.map((value) => ({ value, label: t(`templates.write.header.${kindWord[value]}`) }))}
          onChange={(headerFormat) => {
            onFile(null)
            form.set({ headerFormat, header: '', headerSample: '' }, 'header', 'headerSample')
          }}
        />
      </div>
      {format === 'TEXT' ? (
        <TextField
          label={t('templates.write.header')}
          hint={t('templates.write.header.hint', { count: values.header.length, limit: limits.header })}
          {...form.text('header')}
        />
      ) : (
        <FileDrop
          label={t('templates.write.sampleFile')}
          hint={t(busy ? 'templates.sample.sending' : 'templates.write.sampleFile.hint')}
          error={problem ?? errors['headerSample']}
          value={file}
          accept={headingTypes[kindWord[format]]}
          megabytes={SAMPLE_BYTES / 1_000_000}
          onChange={take}
        />
      )}
      {(placeholdersOf(values.header)?.length ?? 0) > 0 && (
        <TextField label={t('templates.write.headerSample')} {...form.text('headerSample')} />
      )}
    </div>
  )
}

/** The message with its gaps, each with an example. */
function Body({ form }: { form: FormOf }) {
  const t = useT()
  const { values, errors } = form
  const area = useRef<HTMLTextAreaElement>(null)
  const legend = useId()
  const names = placeholdersOf(values.body) ?? []
  function addVariable() {
    const gap = `{{${names.length + 1}}}`
    const at = area.current?.selectionStart ?? values.body.length
    form.set({ body: `${values.body.slice(0, at)}${gap}${values.body.slice(at)}` }, 'body')
    area.current?.focus()
  }
  return (
    <>
      <div className="grid gap-2">
        <TextArea
          ref={area}
          label={t('templates.write.body')}
          hint={t('templates.write.body.hint', { count: values.body.length, limit: limits.body })}
          rows={6}
          {...form.text('body')}
        />
        <div>
          <Button size="small" icon={PlusIcon} onClick={addVariable}>
            {t('templates.write.variable')}
          </Button>
        </div>
      </div>
      {names.length > 0 && (
        <div role="group" aria-labelledby={legend} className="grid gap-3 rounded-m bg-well p-4">
          <div>
            <h2 id={legend} className="font-strong">
              {t('templates.write.samples')}
            </h2>
            <p className="text-ink-2">{t('templates.write.samples.hint')}</p>
          </div>
          {names.map((name, at) => (
            <TextField
              key={name}
              label={t('templates.write.sample', { name: `\u2066{{${name}}}\u2069` })}
              value={values.samples[at] ?? ''}
              error={errors[`samples.${at}`]}
              maxLength={limits.sample}
              onChange={({ target }) =>
                form.set(
                  { samples: names.map((_, place) => (place === at ? target.value : (values.samples[place] ?? ''))) },
                  `samples.${at}`,
                )
              }
            />
          ))}
        </div>
      )}
    </>
  )
}
