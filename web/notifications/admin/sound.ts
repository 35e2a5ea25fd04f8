/** Two short falling tones, the second one higher. */
const drops = [
  { at: 0, from: 880, to: 620 },
  { at: 0.16, from: 1175, to: 830 },
]
const LASTS_S = 0.32
const LOUDNESS = 0.12

let context: AudioContext | null = null

/** Browsers block audio before the first user gesture, so that gesture creates the context. */
export function unlockSound(): () => void {
  const make = () => {
    if (typeof AudioContext === 'undefined') return
    context ??= new AudioContext()
    void context.resume()
  }
  const options = { once: true, capture: true }
  window.addEventListener('pointerdown', make, options)
  window.addEventListener('keydown', make, options)
  return () => {
    window.removeEventListener('pointerdown', make, options)
    window.removeEventListener('keydown', make, options)
  }
}

/** False if the browser blocks it. */
export function playSound(): boolean {
  if (context?.state !== 'running') return false
  for (const { at, from, to } of drops) {
    const begins = context.currentTime + at
    const tone = context.createOscillator()
    const volume = context.createGain()
    tone.frequency.setValueAtTime(from, begins)
    tone.frequency.exponentialRampToValueAtTime(to, begins + LASTS_S)
    volume.gain.setValueAtTime(0, begins)
    volume.gain.linearRampToValueAtTime(LOUDNESS, begins + 0.015)
    volume.gain.exponentialRampToValueAtTime(0.0001, begins + LASTS_S)
    tone.connect(volume).connect(context.destination)
    tone.start(begins)
    tone.stop(begins + LASTS_S)
  }
  return true
}
