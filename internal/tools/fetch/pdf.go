package fetch

import (
	"context"
	"errors"

	"hob/internal/tools"
)

// pdfType is the media type of a PDF.
const pdfType = "application/pdf"

var errPDF = errors.New("the address holds a PDF")

// take makes a page's text of body, that of a PDF included.
func (f *FetchTool) take(ctx context.Context, p *fetched, body []byte) error {
	err := p.take(body)
	if !errors.Is(err, errPDF) {
		return err
	}
	if f.pdf == nil {
		return notTextError(pdfType)
	}
	text, err := f.pdf(ctx, body)
	if err != nil {
		if ctx.Err() != nil {
			return f.outOfTime(ctx, p.url.Host)
		}
		return tools.Failed("%s", err).Suggest("fetch a page that has it as text")
	}
	if mediaType(p.contentType) != pdfType {
		p.contentType = pdfType // whatever the server says
	}
	p.text = visible(text)
	return nil
}
