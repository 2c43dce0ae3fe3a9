package ledger_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// Rule: Deleting the database loses history, never the loop.
// Rule: The log directory decides between first run and rerun.
func TestLoopOwner(t *testing.T) {
	t.Parallel()
	const own, other = "01ARZ3NDEKTSV4RRFFQ69G5FAA", "01ARZ3NDEKTSV4RRFFQ69G5FAB"
	names := func(id string) *ledger.RunFile { return &ledger.RunFile{Run: id, Iteration: 1} }
	openRun := func(violations ...ledger.Violation) *ledger.State {
		s := state([]ledger.Gate{reviewed(1, quality, fail), checked(1, ledger.GatePassed)}, violations...)
		s.Run.ID = own
		return s
	}
	clean, finding := openRun(), openRun(violation("a", quality, 1, ledger.StatusNew))
	rebuilt := with(openRun(violation("a", quality, 1, ledger.StatusNew)), func(s *ledger.State) { s.Iterations[0].Mode = ledger.ModeRebuilt })
	file := func(job string, slot, iteration int) ledger.LoopFile {
		return ledger.LoopFile{FileID: ledger.Sanitize(job), Slot: slot, Iteration: iteration}
	}
	known := []ledger.LoopFile{file(quality, 1, 1), file(lint, 0, 1)}
	later := append([]ledger.LoopFile{file(quality, 1, 2)}, known...)
	foreign := append([]ledger.LoopFile{file(security, 1, 1)}, known...)
	onlyLater := []ledger.LoopFile{file(quality, 1, 2)}
	begun := func(s *ledger.State) { s.Run.Branch = own } // this checkout names the branch's run as the one that it began
	tests := []struct {
		name  string
		logs  bool
		run   *ledger.RunFile
		named ledger.Standing
		open  *ledger.State
		found []ledger.LoopFile
		want  ledger.LoopOwner
	}{
		{"an empty directory", false, nil, "", nil, nil, ledger.NoLoop},
		{"another checkout's run is open", false, nil, "", finding, nil, ledger.NoLoop},
		{"logs were deleted, and nothing is open", false, nil, "", nil, nil, ledger.NoLoop},
		{"logs were deleted, and the run is open", false, nil, "", with(openRun(violation("a", quality, 1, ledger.StatusNew)), begun), nil, ledger.EmptiedLoop},
		{"logs were deleted, of a run that found nothing", false, nil, "", with(openRun(), begun), nil, ledger.EmptiedLoop},
		{"a closed run is named in an emptied directory", false, names(other), ledger.RunClosed, with(openRun(violation("a", quality, 1, ledger.StatusNew)), begun), nil, ledger.EmptiedLoop},
		{"another run was begun here", false, nil, "", with(openRun(violation("a", quality, 1, ledger.StatusNew)), func(s *ledger.State) { s.Run.Branch = other }), nil, ledger.NoLoop},
		{"the open run was begun here and is named", true, names(own), ledger.RunOpen, with(openRun(violation("a", quality, 1, ledger.StatusNew)), begun), foreign, ledger.OwnLoop},
		{"it was begun here, and another loop's files are there", true, names(other), ledger.RunUnknown, with(openRun(violation("a", quality, 1, ledger.StatusNew)), begun), known, ledger.OtherLoop},
		{"the open run is named", true, names(own), ledger.RunOpen, finding, foreign, ledger.OwnLoop},
		{"a run is named that is closed", true, names(other), ledger.RunClosed, nil, known, ledger.EndedLoop},
		{"a run is named that nobody knows", true, names(other), ledger.RunUnknown, nil, known, ledger.LostLoop},
		{"a run is named that is open elsewhere", true, names(other), ledger.RunOpen, nil, known, ledger.LostLoop},
		{"nothing is named, and no run is open", true, nil, "", nil, known, ledger.LostLoop},

		{"nothing is named, and the open run knows all files", true, nil, "", finding, known, ledger.OwnLoop},
		{"nothing is named, and there are no files of gates", true, nil, "", finding, nil, ledger.OwnLoop},
		{"nothing is named, and another tool went on", true, nil, "", finding, later, ledger.OwnLoop},
		{"nothing is named, and another tool's loop alone is there", true, nil, "", finding, onlyLater, ledger.OtherLoop},
		{"nothing is named, and a file is not known", true, nil, "", finding, foreign, ledger.OtherLoop},
		{"nothing is named, a file is not known, and nothing would be forgotten", true, nil, "", clean, foreign, ledger.LostLoop},

		{"another run is named, and the open one has findings", true, names(other), ledger.RunUnknown, finding, known, ledger.OtherLoop},
		{"another run is named that is closed, and the open one has findings", true, names(other), ledger.RunClosed, finding, known, ledger.OtherLoop},
		{"another run is named, and the open one has no iteration yet", true, names(other), ledger.RunUnknown, &ledger.State{Run: ledger.Run{ID: own}}, known, ledger.LostLoop},
		{"another run is named, and nothing would be forgotten", true, names(other), ledger.RunUnknown, clean, known, ledger.LostLoop},
		{"another run is named that is closed, and nothing would be forgotten", true, names(other), ledger.RunClosed, clean, known, ledger.EndedLoop},
		{"another run is named, and the open one was restored from these files", true, names(other), ledger.RunOpen, rebuilt, known, ledger.OwnLoop},
		{"another run is named, and the open one was restored from others", true, names(other), ledger.RunOpen, rebuilt, foreign, ledger.OtherLoop},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			begun := ""
			if tt.open != nil {
				begun = tt.open.Run.Branch
			}
			facts := ledger.LoopFacts{
				LoopFiles: ledger.LoopFiles{HasLogs: tt.logs, Begun: begun, Run: tt.run}, Named: tt.named, Open: tt.open, Found: tt.found,
			}
			if got := facts.Owner(); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestIsULID(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{
		"01ARZ3NDEKTSV4RRFFQ69G5FAV": true, "7ZZZZZZZZZZZZZZZZZZZZZZZZZ": true,
		"": false, "01ARZ3NDEKTSV4RRFFQ69G5FA": false, "81ARZ3NDEKTSV4RRFFQ69G5FAV": false,
		"01arz3ndektsv4rrffq69g5fav": false, "01ARZ3NDEKTSV4RRFFQ69G5FAU": false, "../../../../../../../etc/p": false,
	} {
		if got := ledger.IsULID(id); got != want {
			t.Errorf("%q: %t", id, got)
		}
	}
}

func TestLatestDocuments(t *testing.T) {
	t.Parallel()
	s := state([]ledger.Gate{
		reviewed(1, quality, fail, pass), reviewed(1, security, pass), reviewed(2, quality, erred, skipped), reviewed(2, security, erred), reviewed(3, quality, fail, erred),
	})
	var got []string
	for _, slot := range s.LatestDocuments() {
		got = append(got, fmt.Sprintf("%s@%d.%d %s", slot.Job, slot.Index, slot.Iteration, slot.Status))
	}
	if once := state([]ledger.Gate{reviewed(1, quality, pass)}).LatestDocuments(); len(once) != 1 {
		t.Errorf("of one iteration: %v", once)
	}
	listing := reviewed(2, quality, erred)
	listing.Slots[0].Listed = 1
	if files := state([]ledger.Gate{reviewed(1, quality, fail), listing, reviewed(3, quality, erred)}).LatestDocuments(); len(files) != 1 || files[0].Iteration != 2 {
		t.Errorf("in error with a file: %v", files)
	}
	want := []string{quality + "@1.3 fail", quality + "@2.2 skipped_prior_pass", security + "@1.1 pass"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if slot := s.LatestDocument(quality, 2); slot == nil || slot.Index != 2 || s.LatestDocument(security, 2) != nil {
		t.Errorf("of one slot: %v", slot)
	}
}
