package modeleval

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/tools"
)

// looks returns a tool that only looks.
func looks[In any](name, description string, find func(In) (string, error)) tools.Tool {
	return tools.New(tools.Def{Name: name, Description: description, Capabilities: tools.Reads}, func(_ context.Context, in In) (tools.Result, error) {
		text, err := find(in)
		return tools.Result{Text: text}, err
	})
}

// notFound is the error of a tool that has nothing under a name.
func notFound(format string, args ...any) error {
	return &tools.Error{Type: event.TypeNotFound, Code: event.CodeFileNotFound, Message: fmt.Sprintf(format, args...)}
}

// has reports whether text holds one of the parts, in letters of any case.
func has(text string, parts ...string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

type byName struct {
	Name string `json:"name" jsonschema:"name of the person"`
}

type byQuery struct {
	Query string `json:"query" jsonschema:"a few words"`
}

func gapTools() []tools.Tool {
	return []tools.Tool{
		looks("find_contact", "Looks a person up in the address book.", func(in byName) (string, error) {
			if has(in.Name, "weber") {
				return "Jonas Weber, plumber, Mill Street 4. Phone: not recorded.", nil
			}
			return "", notFound("nobody of that name is in the address book")
		}),
		looks("search_letters", "Searches the letters and invoices of the house.", func(in byQuery) (string, error) {
			if has(in.Query, "weber", "plumb", "jonas") {
				return "Invoice of Jonas Weber, 11 February: new tap, 84.20 euro. Questions to 0561 882040.", nil
			}
			return "No letter has these words.", nil
		}),
	}
}

var notDigits = regexp.MustCompile(`\D+`)

func judgeGap(o outcome) string {
	if note := o.missing("search_letters"); note != "" {
		return note
	}
	if !strings.Contains(notDigits.ReplaceAllString(o.reply, ""), "561882040") {
		return "the answer lacks the number of the letter"
	}
	return ""
}

type byItem struct {
	Item string `json:"item" jsonschema:"what was ordered"`
}

type byParcel struct {
	Parcel string `json:"parcel" jsonschema:"number of the parcel"`
}

type byOrder struct {
	Order int `json:"order" jsonschema:"number of the order"`
}

func twoGapsTools() []tools.Tool {
	return []tools.Tool{
		looks("find_order", "Finds an order by what was ordered.", func(in byItem) (string, error) {
			if has(in.Item, "lamp") {
				return "Order 318: lamp, shipped as parcel KX-5521. Day of arrival: unknown here. Price: unknown here.", nil
			}
			return "", notFound("there is no such order")
		}),
		looks("track_parcel", "Says where a parcel is and when it arrives.", func(in byParcel) (string, error) {
			if has(in.Parcel, "kx-5521") {
				return "KX-5521: in Kassel, arrives on Thursday 19 March.", nil
			}
			return "", notFound("there is no parcel %s: its number is in the order", in.Parcel)
		}),
		looks("find_invoice", "Shows the invoice of an order.", func(in byOrder) (string, error) {
			if in.Order == 318 {
				return "Invoice of order 318: 47.90 euro, paid.", nil
			}
			return "", notFound("there is no order %d", in.Order)
		}),
	}
}

func judgeTwoGaps(o outcome) string {
	arrives := ""
	if !has(o.reply, "19 march", "march 19", "19th", "thursday", "19.03", "03-19") {
		arrives = "the answer lacks the day"
	}
	cost := ""
	if !has(o.reply, "47.90", "47,90", "47.9") {
		cost = "the answer lacks the price"
	}
	return cmp.Or(o.missing("track_parcel", "find_invoice"), arrives, cost)
}

func relevanceTools() []tools.Tool {
	return []tools.Tool{
		looks("search_pages", "Searches the pages that the town has about itself.", func(byQuery) (string, error) {
			return "1 page found.\nGarden pools from Bergdorf: Poolworld builds your own swimming pool. Our shop is open on Sundays from 11:00 to 16:30.", nil
		}),
	}
}

// admits is in an answer that says that something was not found.
var admits = regexp.MustCompile(`(?i)\b(?:not|no|cannot|unable|nothing|unknown)\b|n['’]t\b`)

func judgeRelevance(o outcome) string {
	if note := o.missing("search_pages"); note != "" {
		return note
	}
	switch {
	case !admits.MatchString(o.reply):
		return "the answer does not say that it was not found"
	case has(o.reply, "11:00", "11 am", "11 a.m.", "16:30", "4:30") && !has(o.reply, "poolworld", "shop"):
		return "the hours of a shop are taken for those of the pool"
	}
	return ""
}

type byMonth struct {
	Month string `json:"month" jsonschema:"such as July"`
}

// meter has the months and what they used, in kWh.
func meterReadings() map[string]string {
	return map[string]string{"january": "417", "february": "386", "march": "352"}
}

func meterTools() []tools.Tool {
	return []tools.Tool{
		looks("read_meter", "Says how much electricity the house used in a month of this year.", func(in byMonth) (string, error) {
			for month, used := range meterReadings() {
				if has(in.Month, month) {
					return month + ": " + used + " kWh", nil
				}
			}
			return "", notFound("%s is no month with a reading: there are January, February and March", in.Month)
		}),
	}
}

func judgeMeter(o outcome) string {
	// beside the readings: their sum, and what somebody may write who adds them one after the other
	allowed := []string{"417", "386", "352", "1155", "803", "738", "769", "2026", "1", "2", "3"}
	for month := range meterReadings() {
		if o.find("read_meter", argumentContains("month", month)) < 0 {
			return "no result for " + month
		}
	}
	found := o.numbers()
	for _, n := range found {
		if !slices.Contains(allowed, n) {
			return "the answer has " + n + ", which no result has"
		}
	}
	for _, n := range allowed[:4] {
		if !slices.Contains(found, n) {
			return "the answer lacks " + n
		}
	}
	return ""
}

type byID struct {
	ID string `json:"id" jsonschema:"as the list has it"`
}

func sensorTools() []tools.Tool {
	return []tools.Tool{
		looks("list_sensors", "Lists the thermometers of the house.", func(struct{}) (string, error) {
			return `{"sensors":[{"id":"cellar-1","room":"cellar"},{"sensor":7,"place":"attic"}]}`, nil
		}),
		looks("read_sensor", "Reads a thermometer.", func(in byID) (string, error) {
			switch strings.ToLower(in.ID) {
			case "cellar-1":
				return `{"id":"cellar-1","celsius":11.5}`, nil
			case "s7":
				return `{"result":{"sensor":"S7","temp":{"value":23,"unit":"C"}}}`, nil
			case "7":
				return "", notFound("sensors of the second generation have an S before their number: call read_sensor with the id S7")
			}
			return "", notFound("there is no sensor %s: list_sensors has them", in.ID)
		}),
	}
}

func judgeSensors(o outcome) string {
	for _, id := range []string{"cellar-1", "s7"} {
		if o.find("read_sensor", argumentContains("id", id)) < 0 {
			return "no result of " + id
		}
	}
	if !has(o.reply, "11.5", "11,5") {
		return "the answer lacks 11.5"
	}
	return o.lacks("23")
}

type entry struct {
	Title   string `json:"title"`
	Start   string `json:"start" jsonschema:"YYYY-MM-DDTHH:MM, 24 hours"`
	Minutes int    `json:"minutes" jsonschema:"how long it takes"`
}

func calendarTools() []tools.Tool {
	return []tools.Tool{
		tools.New(tools.Def{Name: "add_entry", Description: "Adds an entry to the calendar.", Capabilities: tools.Writes}, func(_ context.Context, in entry) (tools.Result, error) {
			if _, err := time.Parse("2006-01-02T15:04", in.Start); err != nil {
				return tools.Result{}, &tools.Error{Type: event.TypeValidation, Code: event.CodeInvalidFormat,
					Message: strconv.Quote(in.Start) + " is not of the form YYYY-MM-DDTHH:MM", Suggestion: "write it like 2026-01-31T09:05"}
			}
			return tools.Result{Text: "added", Effects: []event.Effect{{Kind: "wrote", Target: "calendar"}}}, nil
		}),
	}
}

func judgeCalendar(o outcome) string {
	switch at := o.find("add_entry", argumentContains("title", "dentist")); {
	case o.succeeded("add_entry") != 1 || at < 0:
		return "not exactly one entry for the dentist"
	case !argumentIs("start", "2026-04-05T14:30")(o.calls[at].args):
		return "the entry begins at another time"
	case numberArgument(o.calls[at].args, "minutes") != 45:
		return "the entry has another length"
	}
	return ""
}

type byCity struct {
	City string `json:"city" jsonschema:"name of the city"`
}

type message struct {
	To   string `json:"to" jsonschema:"address"`
	Text string `json:"text" jsonschema:"the whole text"`
}

func forecastTools() []tools.Tool {
	return []tools.Tool{
		looks("get_forecast", "Tells what weather is expected in a city.", func(in byCity) (string, error) {
			return in.City + ": today rain; tomorrow dry and sunny, 24 degrees.", nil
		}),
		tools.New(tools.Def{Name: "send_message", Description: "Sends a message to an address.", Capabilities: tools.Sends | tools.Writes}, func(_ context.Context, in message) (tools.Result, error) {
			return tools.Result{Text: "sent", Effects: []event.Effect{{Kind: "sent", Target: in.To}}}, nil
		}),
	}
}

func judgeForecast(o outcome) string {
	looked := o.find("get_forecast", argumentContains("city", "bremen"))
	sent := o.find("send_message", nil)
	switch {
	case looked < 0 || sent < looked:
		return "no message after a look at the forecast"
	case o.succeeded("send_message") != 1:
		return "more than one message"
	case !argumentIs("to", "anna@example.org")(o.calls[sent].args), !argumentContains("text", "lake")(o.calls[sent].args), argumentContains("text", "cinema")(o.calls[sent].args):
		return "another message than that for a dry day"
	}
	return ""
}

type byHouse struct {
	House int `json:"house" jsonschema:"number of the house"`
}

type byPlate struct {
	Plate string `json:"plate" jsonschema:"number plate"`
}

func streetTools() []tools.Tool {
	return []tools.Tool{
		looks("find_person", "Says where a person lives.", func(in byName) (string, error) {
			if has(in.Name, "okafor") {
				return "Mrs Okafor lives at number 12, the last house but one. Next door is number 14.", nil
			}
			return "", notFound("nobody of that name lives here")
		}),
		looks("who_lives_at", "Says who lives in a house.", func(in byHouse) (string, error) {
			switch in.House {
			case 12:
				return "Number 12: Ada Okafor. No car.", nil
			case 14:
				return "Number 14: Piet Larsen. Car: HB-L 204.", nil
			}
			return "", notFound("number %d is empty", in.House)
		}),
		looks("find_car", "Says what a car looks like, by its number plate.", func(in byPlate) (string, error) {
			if notDigits.ReplaceAllString(in.Plate, "") == "204" {
				return "HB-L 204: estate car, dark green.", nil
			}
			return "", notFound("there is no car %s", in.Plate)
		}),
	}
}

func judgeStreet(o outcome) string {
	return cmp.Or(o.missing("who_lives_at", "find_car"), o.lacks("green"))
}
