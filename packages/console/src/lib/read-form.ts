/** The texts of a form by the names of its fields; a file counts as empty. */
export function readForm(form: HTMLFormElement): (name: string) => string {
  const data = new FormData(form)
  return (name) => {
    const value = data.get(name)
    return typeof value === 'string' ? value : ''
  }
}

/** The parts of a text between commas, without the empty ones. */
export function splitList(text: string): string[] {
  return text.split(',').map((part) => part.trim()).filter((part) => part !== '')
}
