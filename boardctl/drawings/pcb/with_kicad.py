"""Fill a board's planes, check it and plot it with KiCad.

Run this file with any Python that can import KiCad's `pcbnew` module; it need not be the Python
that runs boardctl:

    python3 with_kicad.py BOARD.kicad_pcb FOLDER

FOLDER receives the filled `board.kicad_pcb`, `drc.txt`, the Gerber files and the drill files. This
file does not import boardctl.
"""

import shutil
import sys
from pathlib import Path

LAYERS = ("F_Cu", "B_Cu", "F_Mask", "B_Mask", "F_Paste", "F_SilkS", "B_SilkS", "Edge_Cuts")


def main(source: str, folder: str) -> None:
    import pcbnew

    where = Path(folder)
    gerbers = where / "gerbers"
    gerbers.mkdir(parents=True, exist_ok=True)
    board = pcbnew.LoadBoard(source)
    board.BuildConnectivity()
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    filled = str(where / "board.kicad_pcb")
    pcbnew.SaveBoard(filled, board)
    shutil.copy(Path(source).with_suffix(".kicad_pro"), where / "board.kicad_pro")
    board = pcbnew.LoadBoard(filled)
    board.BuildConnectivity()
    pcbnew.WriteDRCReport(board, str(where / "drc.txt"), pcbnew.EDA_UNITS_MILLIMETRES, True)
    plot = pcbnew.PLOT_CONTROLLER(board)
    options = plot.GetPlotOptions()
    options.SetOutputDirectory(str(gerbers))
    options.SetPlotFrameRef(False)
    options.SetSubtractMaskFromSilk(True)
    options.SetUseGerberX2format(True)
    for name in LAYERS:
        layer = getattr(pcbnew, name)
        plot.SetLayer(layer)
        plot.OpenPlotfile(name, pcbnew.PLOT_FORMAT_GERBER, name)
        plot.PlotLayer()
    plot.ClosePlot()
    drill = pcbnew.EXCELLON_WRITER(board)
    origin = getattr(pcbnew, "wxPoint", None) or pcbnew.VECTOR2I
    drill.SetOptions(False, False, origin(0, 0), False)
    drill.SetFormat(True)
    drill.CreateDrillandMapFilesSet(str(gerbers), True, False)


if __name__ == "__main__":
    main(*sys.argv[1:])
