/** A finding at a place in a file, as CI systems show it beside the line. */
export type Annotation = {
  readonly level: 'error' | 'warning';
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly title: string;
  readonly message: string;
};

/**
 * A workflow command of GitHub Actions, which other CI systems read too: `::error file=…,line=…,col=…,title=…::message`. What would end
 * a property or the command is escaped as documented there, so that no text of a policy can begin another command.
 */
export const annotationLine = ({ level, file, line, column, title, message }: Annotation): string =>
  `::${level} file=${property(file)},line=${String(line)},col=${String(column)},title=${property(title)}::${data(message)}`;

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
