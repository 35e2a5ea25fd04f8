import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'

interface PresetsProps {
  label: string
  options: readonly { key: string; label: string; isChosen: boolean; onChoose(): void }[]
}

/** Buttons that fill the field above with a common value. */
export function Presets({ label, options }: PresetsProps) {
  return (
    <fieldset aria-label={label} className="-mt-1 flex flex-wrap gap-1.5">
      {options.map(({ key, label: words, isChosen, onChoose }) => (
        <ToolbarButton key={key} chosen={isChosen} aria-pressed={isChosen} onClick={onChoose}>
          <bdi>{words}</bdi>
        </ToolbarButton>
      ))}
    </fieldset>
  )
}
